import { setTimeout as pause } from "node:timers/promises";

export interface Answer {
  readonly status: number;
  /** Parsed JSON, or else the text. */
  readonly body: any;
}

/** Counts the outcomes of a run's requests. */
export interface Tally {
  answered: number;
  /** Number of 4xx replies. */
  refused: number;
  /** Number of 5xx replies. */
  failed: number;
  /** Number of requests without a reply. */
  unanswered: number;
}

export interface Asked extends Answer {
  /** True when an earlier attempt failed or had no reply, so that its effect is unknown. */
  readonly wasUnsure: boolean;
}

/** Exceeds the longest pause of a server. */
const timeoutMs = 13_000;

/** Sends a user's requests to two servers alternately. */
export class Client {
  constructor(
    private readonly urls: readonly string[],
    private readonly token: string,
    private readonly tally: Tally,
    /** Index of the first server. */
    private turn: number,
  ) {}

  /** Sends a request. @returns undefined without a reply. */
  async ask(method: string, path: string, body?: object): Promise<Answer | undefined> {
    const url = this.urls[this.turn++ % this.urls.length];
    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          connection: "close",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      const json = response.headers.get("content-type")?.includes("json");
      const { status } = response;
      this.tally[status < 400 ? "answered" : status < 500 ? "refused" : "failed"] += 1;
      return { status, body: json ? JSON.parse(text) : text };
    } catch {
      this.tally.unanswered += 1;
      return undefined;
    }
  }

  /**
   * Retries on the other server after a failure, a missing reply, or a 401 from a server with a wrong clock.
   * @returns undefined when all attempts failed.
   */
  async insist(method: string, path: string, body?: object, tries = 5): Promise<Asked | undefined> {
    let wasUnsure = false;
    for (let tried = 0; tried < tries; tried += 1) {
      const answer = await this.ask(method, path, body);
      if (answer && answer.status < 500 && answer.status !== 401) return { ...answer, wasUnsure };
      if (!answer || answer.status >= 500) wasUnsure = true;
      await pause(300 * (tried + 1));
    }
    return undefined;
  }
}
