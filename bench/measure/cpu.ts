import autocannon from "autocannon";

export interface Load {
  readonly path: string;
  readonly amount: number;
  readonly connections?: number;
  readonly method?: "GET" | "POST";
  readonly headers?: Record<string, string>;
  /** Headers of each connection: who it is. */
  readonly ofConnections?: readonly Record<string, string>[];
  /** Sent in turn, by each connection. */
  readonly inTurn?: readonly { readonly headers?: Record<string, string>; readonly body?: string }[];
}

/** What one request takes, in microseconds: CPU of the server's process, and time divided by requests. */
export interface Taken {
  readonly cpu: number;
  readonly wall: number;
}

/** How many requests come before those that are measured: a tenth of them, and one on each connection. */
export const warmUp = ({ amount, connections = 16 }: Load): number => Math.max(Math.round(amount / 10), connections);

/**
 * Sends one request again and again, after a warm-up.
 * @throws when an answer is not 2xx.
 */
export async function perRequest(
  subject: { readonly url: string; cpu(): Promise<number> },
  load: Load,
): Promise<Taken> {
  const { path, amount, connections = 16, inTurn, ofConnections, ...rest } = load;
  const requests = inTurn ? { requests: [...inTurn] } : {};
  const sent = Math.max(amount, connections);
  // It looks each `sampleInt` milliseconds whether all are answered. An answer of everything there is takes its time.
  const run = (count: number) => {
    let connection = 0;
    const setupClient = (client: autocannon.Client): void => {
      client.setHeaders({ ...rest.headers, ...ofConnections?.[connection % ofConnections.length] });
      connection += 1;
    };
    return autocannon({
      url: subject.url + path,
      amount: count,
      connections,
      sampleInt: 5,
      timeout: 60,
      ...rest,
      ...requests,
      ...(ofConnections ? { setupClient } : {}),
    });
  };
  await run(warmUp(load));
  const [before, began] = [await subject.cpu(), performance.now()];
  const result = await run(sent);
  const [after, ended] = [await subject.cpu(), performance.now()];
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`);
  return { cpu: (after - before) / sent, wall: ((ended - began) * 1_000) / sent };
}
