import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedDatabase } from "@lyceum/embedded-mongo";
import { startEmulatedServer, type TestServer } from "../../tests/server/emulated-server.js";

/** Runs the work with a way to start servers in this process, whose commands are watched, on the embedded database. */
export async function withEmulatedServers<T>(work: (start: () => Promise<TestServer>) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "lyceum-bench-"));
  const database = await startEmbeddedDatabase({ dataDir: join(folder, "database") });
  const servers: TestServer[] = [];
  try {
    return await work(async () => {
      const server = await startEmulatedServer({ databaseServer: database.uri, folder });
      servers.push(server);
      return server;
    });
  } finally {
    for (const server of servers) await server.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}
