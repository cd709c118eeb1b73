import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serveSubject } from "../processes/subject.js";

/** An answer as it went over the wire. */
export interface Served {
  readonly base64: string;
  readonly headers: Record<string, string>;
}

/** The least a server can do: fixed bytes with their headers, from node:http alone. */
let body: Buffer = Buffer.from("");
let headers: Record<string, string> = {};
const server = createServer((_req, res) => {
  res.writeHead(200, { ...headers, "content-length": body.length });
  res.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  const handlers = {
    serve(reply: Served) {
      body = Buffer.from(reply.base64, "base64");
      headers = reply.headers;
    },
  };
  serveSubject(`http://127.0.0.1:${port}`, handlers, async () => void server.close());
});
