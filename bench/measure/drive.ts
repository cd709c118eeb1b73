import { Agent, request } from "node:http";

/** A request to send. */
export interface Call {
  /** What it is counted as. */
  readonly kind: string;
  readonly path: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Is told the answer, for requests that follow from it. */
  then?(status: number, text: string): void;
}

export interface Outcome {
  readonly kind: string;
  /** 0 when the connection failed. */
  readonly status: number;
  /** Until the whole answer was there; from when it was due when requests come at a rate. */
  readonly ms: number;
  readonly retryAfter: string | undefined;
}

export interface Drive {
  readonly url: string;
  /** Connections; each sends its next request when the last one was answered. */
  readonly connections: number;
  readonly next: () => Call;
  readonly seconds?: number;
  readonly amount?: number;
  /** Requests a second, whether or not earlier ones were answered. */
  readonly rate?: number;
}

export interface Driven {
  readonly outcomes: readonly Outcome[];
  readonly seconds: number;
}

/** Sends varied requests to one server. */
export async function drive({ url, connections, next, seconds, amount, rate }: Drive): Promise<Driven> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const outcomes: Outcome[] = [];
  const began = performance.now();
  const until = began + (seconds ?? 3_600) * 1_000;
  let left = amount ?? Number.POSITIVE_INFINITY;
  const wanted = (): boolean => left > 0 && performance.now() < until;
  const send = async (due: number): Promise<void> => {
    left -= 1;
    outcomes.push(await sendCall(agent, url, next(), due));
  };
  if (rate) {
    const sent: Promise<void>[] = [];
    while (wanted()) {
      const due = Math.min(left, 1 + Math.floor(((performance.now() - began) / 1_000) * rate) - sent.length);
      for (let n = 0; n < due; n += 1) sent.push(send(began + (sent.length / rate) * 1_000));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await Promise.all(sent);
  } else {
    const worker = async (): Promise<void> => {
      while (wanted()) await send(performance.now());
    };
    await Promise.all(Array.from({ length: connections }, worker));
  }
  agent.destroy();
  return { outcomes, seconds: (performance.now() - began) / 1_000 };
}

/** @throws when a request was not served. */
export function allServed({ outcomes }: Driven): readonly Outcome[] {
  const failed = outcomes.find(({ status }) => status !== 200);
  if (failed) throw new Error(`${failed.kind} was answered ${failed.status}`);
  return outcomes;
}

function sendCall(agent: Agent, url: string, call: Call, due: number): Promise<Outcome> {
  const { kind, path, method = "GET", headers = {}, body } = call;
  return new Promise((done) => {
    const answered = (status: number, retryAfter?: string): void =>
      done({ kind, status, ms: performance.now() - due, retryAfter });
    const sent = request(url + path, { agent, method, headers }, (res) => {
      const parts: Buffer[] = [];
      res.on("error", () => answered(0));
      res.on("data", (part: Buffer) => {
        if (call.then) parts.push(part);
      });
      res.on("end", () => {
        const status = res.statusCode ?? 0;
        call.then?.(status, Buffer.concat(parts).toString());
        answered(status, res.headers["retry-after"]);
      });
    });
    sent.on("error", () => answered(0)).end(body);
  });
}
