/**
 * Defines `window.Clerk` with the part of the provider's object that applications use. A page without a build loads it
 * by `<script type="module" src="http://127.0.0.1:3101/browser/clerk.js"></script>`.
 */
import { Clerk } from "./clerk-object.js";

const clerk = new Clerk(new URL(import.meta.url).origin);
Object.assign(window, { Clerk: clerk });
void clerk.load();
