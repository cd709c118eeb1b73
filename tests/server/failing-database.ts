import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedDatabase } from "@lyceum/embedded-mongo";
import { type Connection, createConnection, type mongo } from "mongoose";

/** What MongoDB's own `failCommand` is told. */
export interface Trouble {
  readonly failCommands: string[];
  readonly errorCode?: number;
  readonly errorLabels?: string[];
  readonly closeConnection?: boolean;
  readonly writeConcernError?: { readonly code: number; readonly errmsg: string };
}

export interface FailingDatabase {
  readonly uri: string;
  /** Meets no trouble but what it makes itself. */
  readonly operator: Connection;
  /** Has the database fail in a way, so many times, or for ever after so many commands, while `work` runs. */
  during<T>(trouble: Trouble, times: number | { skip: number }, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** An embedded database that fails commands on demand, whatever the other tests run on. */
export async function startFailingDatabase(): Promise<FailingDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), "lyceum-trouble-"));
  const database = await startEmbeddedDatabase({ dataDir });
  const operator = await createConnection(database.uri).asPromise();
  const set = (mode: mongo.BSON.Document | string, data: object = {}) =>
    operator.getClient().db("admin").command({ configureFailPoint: "failCommand", mode, data });
  return {
    ...{ uri: database.uri, operator },
    async during(trouble, times, work) {
      const counted = typeof times === "number" ? { times } : times;
      await set(times === Number.POSITIVE_INFINITY ? "alwaysOn" : counted, trouble);
      try {
        return await work();
      } finally {
        await set("off");
      }
    },
    async close() {
      await operator.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
