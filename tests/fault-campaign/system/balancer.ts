import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request with the status of its reply. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
  /** 502 when the server did not reply. */
  readonly status: number;
  /** Duration of the request. */
  readonly ms: number;
}

/** Distributes requests over several servers in rotation. */
export interface Balancer {
  readonly url: string;
  close(): void;
}

/**
 * Starts a balancer that sends each request to the next server on a new connection. It tries another server only when
 * the connection is refused, so that no request is sent twice.
 */
export async function startBalancer(targets: readonly string[], seen: (exchange: Exchange) => void): Promise<Balancer> {
  let turn = 0;
  const server = createServer(async (req, res) => {
    res.on("error", () => undefined);
    const pieces: Buffer[] = [];
    try {
      for await (const piece of req) pieces.push(piece);
    } catch {
      return void res.destroy();
    }
    const body = Buffer.concat(pieces);
    const askedAt = performance.now();
    turn += 1;
    const order = targets.map((_target, at) => targets[(turn + at) % targets.length] ?? "");
    const status = await forward(order, req, body, res);
    seen({ method: req.method ?? "GET", path: req.url ?? "/", body, status, ms: performance.now() - askedAt });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function forward(
  [target, ...others]: readonly string[],
  req: IncomingMessage,
  body: Buffer,
  res: ServerResponse,
): Promise<number> {
  if (target === undefined) return fail(res);
  const { connection, host, "transfer-encoding": _coding, ...headers } = req.headers;
  const length = body.length > 0 ? { "content-length": String(body.length) } : {};
  const asking = request(target + req.url, { method: req.method, headers: { ...headers, ...length }, agent: false });
  res.once("close", () => res.writableFinished || asking.destroy());
  asking.end(body);
  try {
    const [answer] = (await once(asking, "response")) as [IncomingMessage];
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    for await (const piece of answer) res.write(piece);
    res.end();
    return answer.statusCode ?? 502;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ECONNREFUSED") return forward(others, req, body, res);
    return fail(res);
  }
}

function fail(res: ServerResponse): number {
  if (res.headersSent) res.destroy();
  else res.writeHead(502).end();
  return 502;
}
