import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { serveConnections } from "../../src/http/pipeline/connections.js";
import { eventStream } from "../../src/http/replies/event-stream.js";

test("a client that reads nothing is cut off, so that writing to it ends", async () => {
  let sent = 0;
  let closed = false;
  const app = express();
  app.get("/", async (_req, res) => {
    res.once("close", () => {
      closed = true;
    });
    const events = eventStream(res);
    while (!closed) {
      await events.send("delta", { text: "x".repeat(100_000) });
      sent += 1;
    }
  });
  const server = createServer();
  const limits = { maxUnfinished: 1, stalledMs: 50, leastBytesPerSecond: 1, graceMs: 60_000, checkMs: 60_000 };
  serveConnections(server, app, limits);
  server.listen(0);
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  client.pause();
  client.write("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
  await expect.poll(() => closed).toBe(true);
  expect(sent).toBeGreaterThan(0);
});
