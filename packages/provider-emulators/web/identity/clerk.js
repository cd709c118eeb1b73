/**
 * Defines `window.Clerk` with the part of the provider's object that applications use. A page without a build loads it
 * by `<script type="module" src="http://127.0.0.1:3101/browser/clerk.js"></script>`.
 */
import { Session } from "./session.js";
import { openSignIn } from "./sign-in.js";

const session = new Session(new URL(import.meta.url).origin);

const Clerk = {
  load: () => session.load(),
  get loaded() {
    return session.state.isLoaded;
  },
  get user() {
    return session.state.account;
  },
  get isSignedIn() {
    return session.state.account !== null;
  },
  get session() {
    return session.state.account && { getToken: session.getToken.bind(session) };
  },
  openSignIn: () => openSignIn(session),
  signOut: () => session.signOut(),
  /** Signs in as this user, or switches to them. @param {string} userId */
  signInAs: (userId) => session.signIn(userId),
  /** @param {(resources: { user: object | null }) => void} listener */
  addListener: (listener) => session.subscribe(() => listener({ user: session.state.account })),
};

Object.assign(window, { Clerk });
void session.load();
