import { execFile } from "node:child_process";
import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { promisify } from "node:util";
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

test("a server whose port is taken says so in one line and ends", async () => {
  const { sandbox, databaseUri, url } = await startTestServer();
  const { port } = new URL(url);
  const env = { ...process.env, ...sandbox.variables, MONGODB_URI: databaseUri, PORT: port, LOG_LEVEL: "silent" };
  const second = promisify(execFile)(process.execPath, ["--import", "tsx", "src/main.ts"], { env });
  const stderr = `Port ${port} is taken: stop what uses it, or choose another with PORT\n`;
  await expect(second).rejects.toMatchObject({ code: 1, stdout: "", stderr });
});
