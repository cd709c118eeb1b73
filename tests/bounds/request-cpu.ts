import { Agent, request } from "node:http";

const agent = new Agent({ keepAlive: true });

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  /** Addresses that are read after a success, and work on what the request has stored. Their CPU counts too. */
  readonly reads?: readonly string[] | undefined;
}

export interface Cost {
  /** CPU, in milliseconds. */
  readonly ms: number;
  readonly status: number;
  /** `X-Error-Code`. */
  readonly code: string;
}

/** Most tries of a request whose cost may be noise. */
const maxTries = 6;

/** A cost below is not measured again, because no bound is near, and noise would decide about its growth. */
export const quietMs = 30;

async function once({ method, path, headers, body = "", reads = [] }: Sent, url: string): Promise<Cost> {
  const bytes = Buffer.from(body);
  const before = process.cpuUsage();
  const answer = await new Promise<Omit<Cost, "ms">>((resolve, reject) => {
    const length = method === "GET" ? {} : { "content-length": bytes.length };
    const sent = request(url, { agent, method, path, headers: { ...headers, ...length } });
    sent.once("error", reject);
    sent.once("response", (response) => {
      const { statusCode: status = 0, headers: received } = response;
      response.resume().once("end", () => resolve({ status, code: String(received["x-error-code"] ?? "") }));
    });
    sent.end(bytes);
  });
  const { user, system } = process.cpuUsage(before);
  let ms = (user + system) / 1_000;
  for (const read of answer.status === 200 ? reads : []) {
    ms += (await once({ method: "GET", path: read, headers: {} }, url)).ms;
  }
  return { ms, ...answer };
}

/** Measures the CPU that this process, which is the server too, takes for a request: the least of several tries. */
export async function cpuOf(make: () => Sent | Promise<Sent>, url: string): Promise<Cost> {
  let least = await once(await make(), url);
  for (let tries = 1; tries < maxTries && least.ms > quietMs; tries += 1) {
    const { ms } = await once(await make(), url);
    least = { ...least, ms: Math.min(least.ms, ms) };
  }
  return least;
}
