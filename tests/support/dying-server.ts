import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Registry } from "prom-client";
import { createApp } from "../../src/app.js";
import { createDb } from "../../src/db/db.js";
import { connectThrough, startDatabaseProxy } from "./database-proxy.js";
import { openTransactionsOf } from "./open-transactions.js";
import type { TestServer } from "./server.js";

export type Post = (path: string, body: unknown, token: string, headers?: Record<string, string>) => Promise<void>;

/**
 * Runs requests on an instance that dies, as the database sees it, before its write number `writes` + 1; a commit is a
 * write. What becomes of the requests is not looked at; the transactions that it leaves open are aborted.
 * @returns whether it died.
 */
export async function dieAfter(
  server: TestServer,
  writes: number,
  requests: (post: Post) => Promise<unknown>,
): Promise<boolean> {
  const proxy = await startDatabaseProxy(server.databaseUri);
  const database = await connectThrough({ ...proxy, uri: `${proxy.uri}&monitorCommands=true` });
  const abortTransactions = openTransactionsOf(database.getClient());
  const http = createServer(createApp({ ...server.deps, metrics: new Registry(), database, db: createDb(database) }));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  proxy.cutAfter(writes);
  await requests(async (path, body, token, headers = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
    });
    await answer.arrayBuffer();
  });
  const died = proxy.isShut;
  http.closeAllConnections();
  http.close();
  await database.destroy();
  await proxy.close();
  await abortTransactions(server.databaseUri);
  return died;
}
