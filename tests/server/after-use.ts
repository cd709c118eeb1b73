import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** Calls `close` at the end of the calling test, or of the file when called at its top. */
export function closeAfterUse(close: () => unknown): void {
  const finish = async (): Promise<void> => void (await close());
  try {
    onTestFinished(finish);
  } catch {
    // The call is not inside a test.
    afterAll(finish);
  }
}

/** Creates a folder for the calling test, or for the file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lyceum-test-"));
  closeAfterUse(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Answers requests on this machine for the calling test, or for the file. */
export async function startWebServer(answer: RequestListener): Promise<{ url: string; port: number; close(): void }> {
  const server = createServer(answer);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  closeAfterUse(close);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, close };
}
