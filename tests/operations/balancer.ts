import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** Spreads requests over instances, as a proxy in front of them does. */
export interface Balancer {
  readonly url: string;
  /** From now on requests go to these. Those under way are finished where they are. */
  route(to: readonly string[]): void;
  close(): void;
}

export async function startBalancer(): Promise<Balancer> {
  let instances: readonly string[] = [];
  let next = 0;
  const server = createServer((req, res) => {
    const instance = instances[next++ % instances.length] ?? "";
    const { method, headers } = req;
    const forwarded = request(new URL(req.url ?? "/", instance), { method, headers, agent: false }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    // Nothing is sent again: whatever an instance does not answer is seen by the client.
    forwarded.on("error", () => res.destroy());
    req.pipe(forwarded);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    route(to) {
      instances = to;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
