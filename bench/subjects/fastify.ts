import Fastify from "fastify";
import { serveSubject } from "../processes/subject.js";
import type { Served } from "./raw-http.js";

/** The same bytes as `raw-http.ts`, served by Fastify as it is. */
let served: Served = { base64: "", headers: {} };
let body = Buffer.alloc(0);
const app = Fastify();
app.get("/*", (_request, reply) => reply.headers(served.headers).send(body));
const url = await app.listen({ port: 0, host: "127.0.0.1" });
const handlers = {
  serve(next: Served) {
    served = next;
    body = Buffer.from(next.base64, "base64");
  },
};
serveSubject(url, handlers, () => app.close());
