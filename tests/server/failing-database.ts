import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedDatabase } from "@lyceum/embedded-mongo";
import { type Connection, createConnection, type mongo } from "mongoose";

/** Options of MongoDB's `failCommand`. */
export interface Trouble {
  readonly failCommands: string[];
  readonly errorCode?: number;
  readonly errorLabels?: string[];
  readonly closeConnection?: boolean;
  readonly writeConcernError?: { readonly code: number; readonly errmsg: string };
}

export interface FailingDatabase {
  readonly uri: string;
  /** A connection that the failures do not affect. */
  readonly operator: Connection;
  /** Fails commands while `work` runs: a number of times, or after `skip` commands for ever. */
  during<T>(trouble: Trouble, times: number | { skip: number }, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Starts an embedded database that fails commands on demand, also when the other tests use another database. */
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
