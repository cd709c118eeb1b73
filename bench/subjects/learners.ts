import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { serveSubject } from "../processes/subject.js";

/** Learners who ask the tutor, apart from everything that is measured. */
const agent = new Agent({ keepAlive: true, maxSockets: 500 });

export interface AskedStream {
  readonly question: string;
  /** Nanoseconds of this machine's clock. */
  readonly sentAt: number;
  readonly textAt: number;
}

interface Questions {
  readonly url: string;
  readonly tokens: readonly string[];
  readonly question: string;
  /** Milliseconds between one learner's question and the next one's. */
  readonly apartMs?: number;
}

const now = (): number => Number(process.hrtime.bigint());

function ask(url: string, token: string, question: string, streamed: boolean): Promise<AskedStream> {
  return new Promise((resolve, reject) => {
    const sentAt = now();
    let textAt = 0;
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: streamed ? "text/event-stream" : "application/json",
    };
    const req = request(`${url}/api/user/ai-chat`, { method: "POST", agent, headers }, (res) => {
      if (res.statusCode !== 200) reject(new Error(`a turn answered ${res.statusCode}`));
      res.on("data", (bytes: Buffer) => {
        if (textAt === 0 && bytes.includes("event: delta")) textAt = now();
      });
      res.on("end", () => {
        if (streamed && textAt === 0) reject(new Error("a stream brought no text"));
        else resolve({ question, sentAt, textAt });
      });
    });
    req.on("error", reject);
    req.end(JSON.stringify({ content: question }));
  });
}

serveSubject(
  "",
  {
    streams: ({ url, tokens, question, apartMs = 0 }: Questions) =>
      Promise.all(
        tokens.map(async (token, i) => {
          if (apartMs > 0) await pause(i * apartMs);
          return ask(url, token, `${question} (${i})`, true);
        }),
      ),
    turns: ({ url, tokens, question }: Questions) =>
      Promise.all(tokens.map((token) => ask(url, token, question, false))).then((asked) => asked.length),
  },
  async () => agent.destroy(),
);
