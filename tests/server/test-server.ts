import { afterAll, inject, onTestFinished } from "vitest";
import { type EmulatedServerOptions, startEmulatedServer, type TestServer } from "./emulated-server.js";

export type { Answer, SignedIn, TestServer } from "./emulated-server.js";

export type TestServerOptions = Partial<Omit<EmulatedServerOptions, "folder" | "onAnother">>;

/**
 * Starts a server with emulators on the run's database server. It closes at the end of the calling test, or of the file
 * when called at its top.
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
    // The call is not inside a test.
    afterAll(close);
  }
}
