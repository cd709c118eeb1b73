import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Registry } from "prom-client";
import { createApp } from "../../src/app.js";
import { createDb } from "../../src/db/db.js";
import { connectThrough, startDatabaseProxy } from "./database-proxy.js";
import type { TestServer } from "./test-server.js";

export type Send = (request: RequestInit & { path: string }) => Promise<number>;

/**
 * Runs requests on an instance that dies, as the database sees it, before its write number `writes` + 1; a commit is a
 * write.
 * @param requests is given what sends a request to that instance and returns the status of the answer.
 * @returns whether it died, and what `requests` returned.
 */
export async function dieDuring<T>(
  server: TestServer,
  writes: number,
  requests: (send: Send) => Promise<T>,
): Promise<{ result: T; died: boolean }> {
  const proxy = await startDatabaseProxy(server.databaseUri);
  const database = await connectThrough(proxy);
  const http = createServer(createApp({ ...server.deps, metrics: new Registry(), database, db: createDb(database) }));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  proxy.cutAfter(writes);
  const result = await requests(async ({ path, ...request }) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, request);
    await answer.arrayBuffer();
    return answer.status;
  });
  const died = proxy.isShut;
  http.closeAllConnections();
  http.close();
  await database.destroy();
  await proxy.close();
  return { result, died };
}

/** The same for one request. @returns the status of its answer, and whether the instance died. */
export async function dieAfter(
  server: TestServer,
  writes: number,
  request: RequestInit & { path: string },
): Promise<{ status: number; died: boolean }> {
  const { result, died } = await dieDuring(server, writes, (send) => send(request));
  return { status: result, died };
}
