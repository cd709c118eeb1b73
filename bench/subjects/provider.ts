import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { serveSubject } from "../processes/subject.js";

/** An AI provider that costs next to nothing and notes when it wrote the first text of each answer. */
let pace = { firstMs: 0, everyMs: 0, texts: 40 };
/** Question → nanoseconds of this machine's clock when its first text was written. */
let firstTexts: Record<string, number> = {};

interface Asked {
  readonly stream?: boolean;
  readonly messages: readonly { readonly content: string }[];
}

const usage = { prompt_tokens: 100, completion_tokens: 40, total_tokens: 140 };
const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m" };
const event = (choices: unknown[], more: object = {}): string =>
  `data: ${JSON.stringify({ ...head, choices, ...more })}\n\n`;
const delta = (text: string): string => event([{ index: 0, delta: { content: text }, finish_reason: null }]);

async function stream(res: ServerResponse, question: string): Promise<void> {
  const { firstMs, everyMs, texts } = pace;
  await pause(firstMs);
  res.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  firstTexts[question] = Number(process.hrtime.bigint());
  for (let i = 0; i < texts && !res.destroyed; i += 1) {
    res.write(delta(`word${i} `));
    if (everyMs > 0) await pause(everyMs);
  }
  res.write(event([{ index: 0, delta: {}, finish_reason: "stop" }]) + event([], { usage }));
  res.end("data: [DONE]\n\n");
}

const server = createServer(async (req, res) => {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  const asked = JSON.parse(Buffer.concat(parts).toString()) as Asked;
  if (asked.stream) return stream(res, asked.messages.at(-1)?.content ?? "");
  await pause(pace.firstMs);
  const message = { role: "assistant", content: "word ".repeat(pace.texts) };
  res.writeHead(200, { "content-type": "application/json" });
  res.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }], usage }));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");

serveSubject(
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  {
    pace(next: typeof pace) {
      pace = next;
    },
    /** What was noted since it was asked last. */
    firstTexts() {
      const noted = firstTexts;
      firstTexts = {};
      return noted;
    },
  },
  async () => {
    server.closeAllConnections();
    server.close();
  },
);
