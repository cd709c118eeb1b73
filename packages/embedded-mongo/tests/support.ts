import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { startEmbeddedDatabase } from "../src/index.js";

export interface TestDatabase {
  client: MongoClient;
  uri: string;
  port: number;
  dataDir: string;
  close(): Promise<void>;
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "lyceum-database-"));
}

/** Starts an embedded database in a temporary folder and connects a client. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const dataDir = temporaryFolder();
  const database = await startEmbeddedDatabase({ dataDir });
  const client = await new MongoClient(database.uri).connect();
  return {
    client,
    uri: database.uri,
    port: database.port,
    dataDir,
    close: async () => {
      await client.close();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Expects `run` to be refused. @returns the code. */
export async function refusal(run: () => Promise<unknown>): Promise<number | undefined> {
  try {
    await run();
  } catch (error) {
    return typeof error === "object" && error !== null && "code" in error ? Number(error.code) : undefined;
  }
  return undefined;
}
