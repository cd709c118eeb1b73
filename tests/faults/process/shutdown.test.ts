import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startTestServer, type TestServer } from "../../server/test-server.js";

/** Another server, with a request under way whose body is still to come. */
async function serverAtWork() {
  const server = await (await startTestServer()).another();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const body = '{"courseId":"x"}';
  const headers = { "content-type": "application/json", "content-length": body.length, expect: "100-continue" };
  const request = httpRequest(`${server.url}/api/nope`, { method: "POST", agent, headers });
  const answered = once(request, "response") as Promise<[IncomingMessage]>;
  request.flushHeaders();
  await once(request, "continue");
  return {
    server,
    async finish() {
      request.end(body);
      const [answer] = await answered;
      answer.resume();
      return answer;
    },
  };
}

async function connectTo({ url }: TestServer): Promise<Socket> {
  const client = connect(Number(new URL(url).port), "127.0.0.1").setEncoding("utf8");
  await once(client, "connect");
  return client;
}

test("a closing server answers what it has begun and ends the connection with it", async () => {
  const { server, finish } = await serverAtWork();
  const closed = server.close();
  const isOpen = () =>
    fetch(`${server.url}/healthz`)
      .then(({ ok }) => ok)
      .catch(() => false);
  await expect.poll(isOpen).toBe(false);
  const answer = await finish();
  expect(answer.statusCode).toBe(404);
  expect(answer.headers.connection).toBe("close");
  await closed;
  await expect(server.get("/healthz")).rejects.toThrow();
});

test("a connection that nothing was asked on does not hold up the end of a closing server", async () => {
  const { server, finish } = await serverAtWork();
  const silent = await connectTo(server);
  await server.get("/healthz"); // the server knows of the silent one by now
  const closed = server.close();
  await once(silent, "close");
  expect((await finish()).statusCode).toBe(404);
  await closed;
});

test("a request that comes late over a connection that was new when the server closed is answered", async () => {
  const { server, finish } = await serverAtWork();
  const client = await connectTo(server);
  await server.get("/healthz"); // the server knows of the new one by now
  const closed = server.close();
  await finish();
  client.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
  const said = String(await once(client, "data")).toLowerCase();
  expect(said).toContain("http/1.1 200");
  expect(said).toContain("connection: close");
  await closed;
});

test.each(["new", "kept"])(
  "a request that has come over a %s connection when the server closes is answered",
  async (which) => {
    const server = await (await startTestServer()).another();
    const client = await connectTo(server);
    const ask = () => client.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
    if (which === "kept") {
      ask();
      await once(client, "data");
    }
    ask();
    const closed = server.close();
    expect(String(await once(client, "data"))).toContain('{"status":"ok"}');
    await once(client, "close");
    await closed;
  },
);
