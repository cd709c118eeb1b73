import { once } from "node:events";
import { connect } from "node:net";
import { onTestFinished } from "vitest";
import type { SignedIn, TestServer } from "./test-server.js";

/** Begins requests whose bodies never end. @returns a function that closes them. */
export async function holdOpen(
  server: TestServer,
  { token }: SignedIn,
  count: number,
  { path = "/api/user/track-time", type = "application/json", begin = "{" } = {},
) {
  const { hostname, port } = new URL(server.url);
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on("error", () => undefined);
      await once(socket, "connect");
      const head = [`POST ${path} HTTP/1.1`, `Host: ${hostname}`, `Authorization: Bearer ${token}`];
      socket.write([...head, `Content-Type: ${type}`, "Content-Length: 5000", "", begin].join("\r\n"));
      return socket;
    }),
  );
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(end);
  return end;
}

/** Reads the number of active requests from the metrics. */
export const underWay = async ({ deps }: TestServer) =>
  (await deps.metrics.getSingleMetric("http_server_active_requests")?.get())?.values[0]?.value;
