import { inject } from "vitest";
import { closeAfterUse } from "./after-use.js";
import { type EmulatedServerOptions, startEmulatedServer, type TestServer } from "./emulated-server.js";
import { resetEmulators } from "./emulators.js";

export type { Answer, SignedIn, TestServer } from "./emulated-server.js";

export interface TestServerOptions extends Partial<Omit<EmulatedServerOptions, "folder" | "onAnother">> {
  /** Why the test needs a server and a database of its own: it counts all rows, runs jobs over them, or breaks something. */
  readonly own?: string;
}

/** The server that all test files of a worker share. */
let shared: Promise<TestServer> | undefined;

/**
 * Returns the server that all tests of a worker share, with emulators and a database. With any option it starts a
 * server of its own, which closes at the end of the calling test, or of the file when called at its top.
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  if (Object.keys(options).length > 0) {
    const server = await start(options);
    closeAfterUse(server.close);
    return server;
  }
  shared ??= start({});
  const server = await shared;
  resetEmulators(server.emulators);
  return { ...server, close: () => Promise.reject(new Error("This server is shared: start one with { own: 'why' }")) };
}

function start(options: TestServerOptions): Promise<TestServer> {
  const { own: _, ...given } = options;
  const run = { databaseServer: inject("databaseUri"), folder: inject("runFolder"), onAnother: closeAfterUse };
  return startEmulatedServer({ ...run, ...given });
}
