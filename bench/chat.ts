import type { AskedStream } from "./subjects/learners.js";
import { median, percentile, printTable, type Subject, startSubject } from "./support.js";

/**
 * The tutor apart from its provider's time: CPU per turn as chats and courses grow, memory of 200 streams at once, and
 * how much later than the provider's the first text arrives. Provider, application, database and learners are processes
 * of their own.
 */
const provider = await startSubject("bench/subjects/provider.ts");
const learners = await startSubject("bench/subjects/learners.ts");
const database = process.env.MONGODB_URI ? undefined : await startSubject("bench/subjects/database.ts");
const measures = { growth, memory, firstText };
const wanted = process.argv.slice(2);
let application: Subject;

for (const [name, measure] of Object.entries(measures)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  application = await startSubject("bench/subjects/tutor.ts", {
    OPENAI_API_KEY: "bench",
    OPENAI_BASE_URL: `${provider.url}/v1`,
    MONGODB_URI: process.env.MONGODB_URI ?? database?.url ?? "",
  });
  await measure();
  await application.end();
}
await learners.end();
await provider.end();
await database?.end();

function pace(firstMs: number, everyMs: number, texts = 40): Promise<unknown> {
  return provider.ask("pace", { firstMs, everyMs, texts });
}

function newLearners(count: number): Promise<string[]> {
  return application.ask("learners", { count, sessions: 1, courses: 20, enrolled: 3 });
}

async function growth(): Promise<void> {
  const worlds = [
    { sessions: 1, courses: 20, enrolled: 3 },
    { sessions: 100, courses: 20, enrolled: 3 },
    { sessions: 1, courses: 2_000, enrolled: 3 },
    { sessions: 100, courses: 2_000, enrolled: 3 },
    { sessions: 1, courses: 2_000, enrolled: 100 },
  ];
  await pace(0, 0);
  const rows = [];
  let least = 0;
  await turns(await newLearners(20), 8);
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
  const question = "How do I go on with lecture 2.3?";
  for (let turn = 0; turn < each; turn += 1) {
    for (let from = 0; from < tokens.length; from += 5) {
      await learners.ask("turns", { url: application.url, tokens: tokens.slice(from, from + 5), question });
    }
  }
  return tokens.length * each;
}

function streams(tokens: string[], question: string, apartMs = 0): Promise<AskedStream[]> {
  return learners.ask("streams", { url: application.url, tokens, question, apartMs });
}

async function memory(): Promise<void> {
  const tokens = await newLearners(200);
  await pace(0, 0);
  await turns(tokens, 1);
  const before = await application.ask<number>("memory");
  await pace(100, 40, 60);
  let running = true;
  let peak = 0;
  const watch = (async () => {
    while (running) {
      peak = Math.max(peak, await application.ask<number>("rss"));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  await streams(tokens, "Explain lecture 2.3, please");
  running = false;
  await watch;
  const mb = (bytes: number) => bytes / 2 ** 20;
  printTable("200 streams at once", [
    { "MB before": mb(before), "MB at most": mb(peak), "MB extra": mb(peak - before) },
  ]);
}

/**
 * The provider notes when it writes its first text, so what the application adds before and after can be told apart.
 */
async function firstText(): Promise<void> {
  const firstMs = 300;
  const rows = [];
  // Streams last 1.3 s: begun 20 ms apart, all of them run together too.
  const crowds = [
    { atOnce: 1, apartMs: 0 },
    { atOnce: 10, apartMs: 20 },
    { atOnce: 50, apartMs: 20 },
    { atOnce: 10, apartMs: 0 },
    { atOnce: 50, apartMs: 0 },
  ];
  for (const { atOnce, apartMs } of crowds) {
    const tokens = await newLearners(atOnce);
    await pace(firstMs, 25);
    const before: number[] = [];
    const after: number[] = [];
    let cpu = 0;
    for (let round = 0; round < 12; round += 1) {
      await provider.ask("firstTexts");
      const cpuBefore = await application.cpu();
      const asked = await streams(tokens, `Explain lecture 2.3, please, for the ${round}. time`, apartMs);
      if (round < 3) continue;
      cpu += (await application.cpu()) - cpuBefore;
      const written = await provider.ask<Record<string, number>>("firstTexts");
      for (const { question, sentAt, textAt } of asked) {
        const at = written[question];
        if (!at) throw new Error(`the provider was not asked: ${question}`);
        before.push((at - sentAt) / 1e6 - firstMs);
        after.push((textAt - at) / 1e6);
      }
    }
    rows.push({
      "streams at once": atOnce,
      "begun ms apart": apartMs,
      "ms until asked": median(before),
      "ms after its first text": median(after),
      p95: percentile(after, 95),
      "CPU ms/stream": cpu / after.length / 1_000,
    });
  }
  printTable(
    "First text of a stream: before the provider is asked, and after it wrote its first (of 40, one each 25 ms)",
    rows,
  );
}
