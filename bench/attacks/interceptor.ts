import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What happens to a call to a provider: its reply is changed, or the provider is not asked at all. */
export interface Rule {
  readonly method: string;
  readonly path: RegExp;
  /** @param reply the provider's JSON, when it is asked. */
  answer(reply: () => Promise<unknown>): Promise<{ status?: number; body: unknown }>;
}

export interface Interceptor {
  readonly url: string;
  /** Method and path of every call so far. */
  readonly calls: readonly string[];
  /** Applies a rule while `work` runs. */
  during<T>(rule: Rule, work: () => Promise<T>): Promise<T>;
  close(): void;
}

/** Stands between the server and one of its providers: counts the calls, and answers what an attack wants answered. */
export async function startInterceptor(target: string): Promise<Interceptor> {
  const calls: string[] = [];
  const rules = new Set<Rule>();
  const server = createServer(async (req, res) => {
    const { method = "GET", url = "/", headers } = req;
    calls.push(`${method} ${url}`);
    const pieces: Buffer[] = [];
    for await (const piece of req) pieces.push(piece);
    const { host, connection, "content-length": length, ...kept } = headers;
    const forward = () =>
      fetch(target + url, {
        method,
        headers: kept as Record<string, string>,
        ...(pieces.length > 0 ? { body: Buffer.concat(pieces) } : {}),
      });
    try {
      const rule = [...rules].find((one) => one.method === method && one.path.test(url));
      if (rule) {
        const { status = 200, body } = await rule.answer(async () => (await forward()).json());
        res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
        return;
      }
      const reply = await forward();
      const type = reply.headers.get("content-type") ?? "application/json";
      res.writeHead(reply.status, { "content-type": type }).end(Buffer.from(await reply.arrayBuffer()));
    } catch {
      res.destroy();
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async during(rule, work) {
      rules.add(rule);
      try {
        return await work();
      } finally {
        rules.delete(rule);
      }
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
