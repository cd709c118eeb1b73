import { afterAll, inject, onTestFinished } from "vitest";
import { type EmulatedServerOptions, startEmulatedServer, type TestServer } from "./emulated-server.js";

export type { Answer, SignedIn, TestServer } from "./emulated-server.js";

export type TestServerOptions = Partial<Omit<EmulatedServerOptions, "folder" | "onAnother">>;

/**
 * A server with emulators on the run's own database server, unless another one is named. It closes itself when the test
 * that called it is over; called at the top of a file, when all its tests are.
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const run = { databaseServer: inject("databaseUri"), folder: inject("runFolder"), onAnother: closeAfterUse };
  const server = await startEmulatedServer({ ...run, ...options });
  closeAfterUse(server.close);
  return server;
}

function closeAfterUse(close: () => Promise<void>): void {
  try {
    onTestFinished(close);
  } catch {
    // Not inside a test.
    afterAll(close);
  }
}
