import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox } from "../src/sandbox/index.js";
import { median, printTable, type Subject, startSubject } from "./support.js";

/**
 * The tutor apart from its provider's time: CPU per turn as chats and courses grow, memory of 200 streams at once, and how
 * much later than the provider's the first text arrives. The provider's stand-in runs in this process, the application in
 * another.
 */
const dataDir = await mkdtemp(join(tmpdir(), "lyceum-bench-"));
const nothing = "mongodb://127.0.0.1:1/none"; // this process needs no database
const sandbox = await startSandbox({ MONGODB_URI: nothing }, { dataDir });
const provider = Object.fromEntries(Object.entries(sandbox.variables).filter(([name]) => name.startsWith("OPENAI_")));
let application: Subject;

for (const measure of [growth, memory, firstText]) {
  application = await startSubject("bench/subjects/tutor.ts", provider);
  await measure();
  await application.end();
}
await sandbox.close();
await rm(dataDir, { recursive: true, force: true });

function post(token: string, content: string, stream = false): Promise<Response> {
  return fetch(`${application.url}/api/user/ai-chat`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: stream ? "text/event-stream" : "application/json",
    },
    body: JSON.stringify({ content }),
  });
}

async function growth(): Promise<void> {
  const worlds = [
    { sessions: 1, courses: 20, enrolled: 3 },
    { sessions: 100, courses: 20, enrolled: 3 },
    { sessions: 1, courses: 2_000, enrolled: 3 },
    { sessions: 100, courses: 2_000, enrolled: 3 },
    { sessions: 1, courses: 2_000, enrolled: 100 },
  ];
  const rows = [];
  let least = 0;
  await turns(await application.ask<string[]>("learners", { count: 20, sessions: 1, courses: 20, enrolled: 3 }), 8);
  for (const world of worlds) {
    const used: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const tokens = await application.ask<string[]>("learners", { count: 5, ...world });
      await turns(tokens, 2);
      const before = await application.cpu();
      const count = await turns(tokens, 16);
      used.push(((await application.cpu()) - before) / count);
    }
    least ||= median(used);
    rows.push({ ...world, "CPU µs/turn": median(used), ratio: median(used) / least });
  }
  printTable("A chat turn as past chats and courses grow (JSON, new chat each)", rows);
}

async function turns(tokens: string[], each: number): Promise<number> {
  for (let turn = 0; turn < each; turn += 1) {
    for (let from = 0; from < tokens.length; from += 5) {
      const replies = tokens.slice(from, from + 5).map((token) => post(token, "How do I go on with lecture 2.3?"));
      for (const reply of await Promise.all(replies)) {
        if (reply.status !== 200) throw new Error(`a turn answered ${reply.status}`);
        await reply.arrayBuffer();
      }
    }
  }
  return tokens.length * each;
}

async function memory(): Promise<void> {
  const tokens = await application.ask<string[]>("learners", { count: 200, sessions: 1, courses: 20, enrolled: 3 });
  await turns(tokens, 1);
  const before = await application.ask<number>("memory");
  sandbox.ai?.faults.add({ kind: "slow", perChunkMs: 40 });
  let running = true;
  let peak = 0;
  const watch = (async () => {
    while (running) {
      peak = Math.max(peak, await application.ask<number>("rss"));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  const streams = await Promise.all(tokens.map((token) => post(token, "Explain lecture 2.3, please", true)));
  await Promise.all(streams.map((reply) => reply.text()));
  running = false;
  await watch;
  sandbox.ai?.faults.clear();
  const mb = (bytes: number) => bytes / 2 ** 20;
  printTable("200 streams at once", [
    { "MB before": mb(before), "MB at most": mb(peak), "MB extra": mb(peak - before) },
  ]);
}

/** The provider is told when to send its first text, so what the application adds before and after can be told apart. */
async function firstText(): Promise<void> {
  const firstByteMs = 300;
  const rows = [];
  for (const atOnce of [1, 10, 50]) {
    const tokens = await application.ask<string[]>("learners", {
      count: atOnce,
      sessions: 1,
      courses: 20,
      enrolled: 3,
    });
    sandbox.ai?.faults.add({ kind: "slow", firstByteMs });
    const before: number[] = [];
    const after: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const asked = await Promise.all(
        tokens.map((token, i) => timed(token, `Explain lecture 2.3, please (${round}.${i})`)),
      );
      if (round < 3) continue;
      for (const { question, sentAt, textAt } of asked) {
        const call = sandbox.ai?.calls().find(({ prompt }) => prompt.endsWith(question));
        if (!call) throw new Error(`the provider was not asked: ${question}`);
        before.push(call.at - sentAt);
        after.push(textAt - call.at - firstByteMs);
      }
    }
    sandbox.ai?.faults.clear();
    sandbox.ai?.forgetCalls();
    rows.push({
      "streams at once": atOnce,
      "ms until asked": median(before),
      "ms after its first byte": median(after),
    });
  }
  printTable("First text of a stream (median): before the provider is asked, and after its first byte", rows);
}

async function timed(token: string, question: string) {
  const sentAt = Date.now();
  const decoder = new TextDecoder();
  let textAt = 0;
  for await (const chunk of (await post(token, question, true)).body ?? []) {
    if (textAt === 0 && decoder.decode(chunk, { stream: true }).includes("event: delta")) textAt = Date.now();
  }
  if (textAt === 0) throw new Error(`no text came: ${question}`);
  return { question, sentAt, textAt };
}
