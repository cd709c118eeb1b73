import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../support/server.js";

test("a closing server answers what it has begun and ends the connection with it", async () => {
  const server = await (await startTestServer()).another();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const body = '{"courseId":"x"}';
  const headers = { "content-type": "application/json", "content-length": body.length, expect: "100-continue" };
  const request = httpRequest(`${server.url}/api/nope`, { method: "POST", agent, headers });
  const answered = once(request, "response") as Promise<[IncomingMessage]>;
  request.flushHeaders();
  await once(request, "continue");

  const closed = server.close();
  request.end(body);
  const [answer] = await answered;
  answer.resume();
  expect(answer.statusCode).toBe(404);
  expect(answer.headers.connection).toBe("close");
  await closed;
  await expect(server.get("/healthz")).rejects.toThrow();
});
