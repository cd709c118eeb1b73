import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Registry } from "prom-client";
import { expect } from "vitest";
import { createApp } from "../../src/app.js";
import { createDb, type Db } from "../../src/db/db.js";
import { connectThrough, startDatabaseProxy } from "./database-proxy.js";
import type { SignedIn, TestServer } from "./test-server.js";

/** A request by path with the options of `fetch`. */
export type InstanceRequest = RequestInit & { readonly path: string };

/** Builds a user's JSON request. */
export const requestBy = (
  { token }: Pick<SignedIn, "token">,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): InstanceRequest => ({
  ...{ path, method, ...(body ? { body: JSON.stringify(body) } : {}) },
  headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
});

export interface Death {
  /** True when the instance died before the end of the request. */
  readonly died: boolean;
  /** Status of the reply. A dead instance replies when its database times out. */
  readonly answer: Promise<number>;
}

/**
 * Sends a request to an instance that loses its database before write number `writes` + 1. A commit is a write. It
 * returns at that moment, after which no write of the instance reaches the database.
 */
export async function dieAfter(server: TestServer, writes: number, request: InstanceRequest): Promise<Death> {
  const proxy = await startDatabaseProxy(server.databaseUri);
  const database = await connectThrough(proxy);
  const http = createServer(createApp({ ...server.deps, metrics: new Registry(), database, db: createDb(database) }));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  const cut = proxy.cutAfter(writes).then(() => true);
  const { path, ...init } = request;
  const answer = fetch(`http://127.0.0.1:${port}${path}`, init)
    .then(async (response) => {
      await response.arrayBuffer();
      return response.status;
    })
    .finally(async () => {
      http.closeAllConnections();
      http.close();
      await database.destroy();
    });
  const died = await Promise.race([cut, answer.then(() => false)]);
  await proxy.close();
  return { died, answer };
}

/** Runs work on a database that goes away before write number `writes` + 1, to its end. @returns whether it did. */
export async function dieInWork(
  server: TestServer,
  writes: number,
  work: (db: Db) => Promise<unknown>,
): Promise<boolean> {
  const proxy = await startDatabaseProxy(server.databaseUri);
  const database = await connectThrough(proxy);
  const cut = proxy.cutAfter(writes).then(() => true);
  const working = work(createDb(database)).then(
    () => false,
    () => true,
  );
  const died = await Promise.race([cut, working]);
  await working;
  await database.destroy();
  await proxy.close();
  return died;
}

/** A request and the check of the data that it leaves. */
export interface Scene {
  readonly request: InstanceRequest;
  check(died: boolean, writes: number): Promise<unknown>;
}

/** More writes than any operation has. */
const endless = 60;

/**
 * Lets an instance die before its first write, another before its second, until one completes the request.
 * @param stage creates a new scene for each instance.
 * @param answered status of an instance that lost its database before this write, 500 by default.
 * @returns the number of writes.
 */
export async function dieAtEveryWrite(
  server: TestServer,
  stage: (writes: number) => Promise<Scene>,
  answered: (writes: number) => number = () => 500,
): Promise<number> {
  const answers: Promise<number>[] = [];
  for (let writes = 0; writes < endless; writes++) {
    const { request, check } = await stage(writes);
    const { died, answer } = await dieAfter(server, writes, request);
    answers.push(answer);
    await check(died, writes);
    if (died) continue;
    const expected = Array.from({ length: writes }, (_, n) => answered(n));
    expect(await Promise.all(answers)).toEqual([...expected, 200]);
    return writes;
  }
  throw new Error("the request never got through");
}
