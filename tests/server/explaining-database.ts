import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedDatabase } from "@lyceum/embedded-mongo";

/** Starts an embedded database for cost measurements. It explains every command, even writes. */
export async function startExplainingDatabase(): Promise<{ uri: string; close(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "lyceum-costs-"));
  const database = await startEmbeddedDatabase({ dataDir });
  return {
    uri: `${database.uri}&monitorCommands=true`,
    async close() {
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
