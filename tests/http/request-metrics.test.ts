import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { buildCourse } from "../factories/courses.js";
import { startTestServer } from "../server/test-server.js";

const server = await startTestServer();

/** The lines of one metric. */
async function linesOf(name: string): Promise<string[]> {
  const text: string = (await server.get("/metrics")).body;
  return text.split("\n").filter((line) => line.startsWith(name));
}

test("requests are measured by method, the route's pattern and status; no id becomes a label", async () => {
  const { token } = await server.signedIn();
  const { _id } = await buildCourse(server);
  await server.get(`/api/course/${_id}`);
  await server.get("/api/user/data", token);
  await server.get("/api/user/data");
  await server.get("/api/user/nope-1", token);
  await server.get("/nope-2");
  await server.post("/api/user/purchase", {}, token);
  await server.call("PROPFIND", "/");
  await server.get("/readyz");
  await server.post("/razorpay", {});
  await server.post("/clerk", {});
  await server.get("/api/course/not-an-id");
  const counts = await linesOf("http_server_request_duration_seconds_count");
  for (const labels of [
    'method="GET",route="/api/course/:id",status="200"',
    'method="GET",route="/api/user/data",status="200"',
    'method="GET",route="/api/user/*",status="401"',
    'method="GET",route="/api/user/*",status="404"',
    'method="GET",route="none",status="404"',
    'method="POST",route="/api/user/purchase",status="400"',
    'method="OTHER",route="none",status="404"',
    'method="GET",route="/readyz",status="200",outcome="ok"',
    'method="POST",route="/razorpay",status="400",outcome="refused"',
    'method="POST",route="/clerk",status="500",outcome="refused"',
    'method="GET",route="/api/course/:id",status="500",outcome="malformed"',
  ]) {
    expect(
      counts.some((line) => line.includes(labels)),
      labels,
    ).toBe(true);
  }
  expect(counts.join()).not.toContain(String(_id));
  expect(counts.join()).not.toContain("nope");
});

test("the gauges report requests under way and open connections", async () => {
  // The one that asks.
  expect(await linesOf("http_server_active_requests")).toEqual(["http_server_active_requests 1"]);
  const connections = async () => Number((await linesOf("http_server_open_connections"))[0]?.split(" ")[1]);
  const before = await connections();
  const { hostname, port } = new URL(server.url);
  const idle = connect(Number(port), hostname);
  await expect.poll(connections).toBeGreaterThan(before);
  idle.destroy();
});

test("a client that sent many requests at once and went away leaves nothing under way", async () => {
  const { _id } = await buildCourse(server);
  const { hostname, port } = new URL(server.url);
  const client = connect(Number(port), hostname);
  await once(client, "connect");
  const request = `GET /api/course/${_id} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
  client.write(`${request}GET /api/community/posts HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`.repeat(4));
  await once(client, "data");
  client.destroy();
  await expect.poll(() => linesOf("http_server_active_requests")).toEqual(["http_server_active_requests 1"]);
});
