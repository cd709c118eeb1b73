import { expect } from "vitest";
import type { TestServer } from "../../server/test-server.js";

/** Posts JSON for a client that goes away before the answer when `leave` is called. */
export function postAndLeave(server: TestServer, path: string, body: object, token: string) {
  const leaving = new AbortController();
  const answer = fetch(server.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: leaving.signal,
  });
  const left = expect(answer).rejects.toThrow();
  return {
    async leave() {
      leaving.abort();
      await left;
    },
  };
}
