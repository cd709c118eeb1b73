import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Finding, same, within } from "./findings.js";
import type { Target } from "./target.js";
import { timed } from "./watch.js";

/** Bodies, headers and connections that are no requests. */
export async function misshapen(target: Target): Promise<Finding[]> {
  const { token } = await target.user();
  const send = (body: string, path = "/api/user/track-time", headers: object = {}) =>
    target.call("POST", path, { token, body, headers: { "content-type": "application/json", ...headers } });
  const deep = "[".repeat(49_000) + "]".repeat(49_000);
  const answers = [
    (await send(deep)).status,
    (await send(`{"page":${'{"a":'.repeat(15_000)}1${"}".repeat(15_000)}}`)).status,
    (await send(`{"page":"${"x".repeat(120_000)}"}`)).status,
    (await send("{", "/api/user/track-time")).status,
    (await send("x".repeat(1_100_000), "/razorpay")).status,
    (await send("{}", "/api/user/track-time", { "content-encoding": "gzip" })).status,
  ];
  const paths = [
    "/api/docs/..%2f..%2fpackage.json",
    "/api/docs/%2e%2e/%2e%2e/package.json",
    "/api/docs/..%5c..%5cpackage.json",
  ];
  const found = [];
  for (const path of [...paths, "/api/docs/%00", "/%ff", "/api/course/%00"]) {
    found.push((await target.call("GET", path)).status);
  }
  const { hostname, port } = new URL(target.url);
  const open = Array.from({ length: 300 }, () => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => undefined);
    socket.write(`POST /api/user/track-time HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n`);
    return socket;
  });
  await sleep(500);
  const waited = await timed(() => target.call("GET", "/"));
  for (const socket of open) socket.destroy();
  return [
    same("deep lists, deep objects, 120 kB, half JSON, 1.1 MB webhook, gzip", answers, [400, 400, 413, 400, 413, 415]),
    same(
      "paths out of the documentation, and no paths: found",
      found.filter((status) => status < 400),
      [],
    ),
    within("300 connections that never finish their headers: another visitor waits", waited, 500, "ms"),
  ];
}
