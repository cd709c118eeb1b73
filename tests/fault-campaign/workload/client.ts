import { setTimeout as pause } from "node:timers/promises";

export interface Answer {
  readonly status: number;
  /** Parsed when it is JSON. */
  readonly body: any;
}

/** How requests of a run ended so far. */
export interface Tally {
  answered: number;
  /** 4xx. */
  refused: number;
  /** 5xx. */
  failed: number;
  /** No answer came. */
  unanswered: number;
}

export interface Asked extends Answer {
  /** An attempt before it may have been done as well, although nothing came back, or a failure. */
  readonly wasUnsure: boolean;
}

/** Longer than a server may stand still. */
const timeoutMs = 13_000;

/** A browser or a script that asks two servers alternately, with a user's token. */
export class Client {
  constructor(
    private readonly urls: readonly string[],
    private readonly token: string,
    private readonly tally: Tally,
    /** Which server is asked first. */
    private turn: number,
  ) {}

  /** @returns undefined when no answer came. */
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
   * Asks again, the other server, after no answer or a failure, as a client does that wants it done; also after a 401,
   * which a server with a wrong clock gives.
   * @returns undefined when it gave up.
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
