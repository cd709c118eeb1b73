import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Registry } from "prom-client";
import { createApp } from "../../src/app.js";
import { createDb } from "../../src/db/db.js";
import { connectThrough, startDatabaseProxy } from "./database-proxy.js";
import { openTransactionsOf } from "./open-transactions.js";
import type { TestServer } from "./server.js";

/**
 * Sends a request to an instance that dies, as the database sees it, before its write number `writes` + 1; a commit is
 * a write. Transactions that it leaves open are aborted.
 * @returns the status of the answer, and whether the instance died.
 */
export async function dieAfter(
  server: TestServer,
  writes: number,
  { path, ...request }: RequestInit & { path: string },
): Promise<{ status: number; died: boolean }> {
  const proxy = await startDatabaseProxy(server.databaseUri);
  const database = await connectThrough({ ...proxy, uri: `${proxy.uri}&monitorCommands=true` });
  const abortTransactions = openTransactionsOf(database.getClient());
  const http = createServer(createApp({ ...server.deps, metrics: new Registry(), database, db: createDb(database) }));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  proxy.cutAfter(writes);
  const { port } = http.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, request);
  await answer.arrayBuffer();
  const died = proxy.isShut;
  http.closeAllConnections();
  http.close();
  await database.destroy();
  await proxy.close();
  await abortTransactions(server.databaseUri);
  return { status: answer.status, died };
}
