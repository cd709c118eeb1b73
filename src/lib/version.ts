import { createRequire } from "node:module";

/** Version of the server and of its API, from package.json. */
export const version = (createRequire(import.meta.url)("../../package.json") as { version: string }).version;
