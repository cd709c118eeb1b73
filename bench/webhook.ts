/**
 * What a payment webhook costs in CPU of the server's process (the database runs in another one): a completion and a
 * repeat beside raw node:http + HMAC + the same database writes, with up to a hundred times as many sales in the
 * database, and with up to a hundred times as many of them in the very course that is bought.
 *
 *     npx tsx bench/webhook.ts
 */
import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedDatabase } from "../packages/embedded-mongo/src/index.js";
import { median, printTable, type Subject, startSubject } from "./support.js";

const secret = "bench-webhook-secret";
const folder = await mkdtemp(join(tmpdir(), "lyceum-bench-webhook-"));
const embedded = process.env.MONGODB_URI ? undefined : await startEmbeddedDatabase({ dataDir: folder });
const databaseUri = (name: string): string => {
  const parsed = new URL(process.env.MONGODB_URI ?? embedded?.uri ?? "");
  parsed.pathname = `/bench_${name}_${process.pid}`;
  return parsed.href;
};
const application = await startSubject("bench/subjects/webhook-application.ts", { uri: databaseUri("app"), secret });
const raw = await startSubject("bench/subjects/webhook-raw.ts", { uri: databaseUri("raw"), secret });
const amount = 400;
const rounds = 3;

const captured = (purchaseId: string): string =>
  JSON.stringify({
    event: "payment.captured",
    payload: {
      payment: { entity: { id: `pay_${purchaseId}`, amount: 99900, currency: "INR", notes: { purchaseId } } },
    },
  });

/** Posts each body once, ten at a time. @returns CPU microseconds of the subject per request. */
async function cpuPerDelivery(subject: Subject, bodies: readonly string[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 10 });
  const before = await subject.cpu();
  await Promise.all(bodies.map((body) => deliver(subject.url, body, agent)));
  const used = (await subject.cpu()) - before;
  agent.destroy();
  return used / bodies.length;
}

function deliver(url: string, body: string, agent: Agent): Promise<void> {
  const headers = { "x-razorpay-signature": createHmac("sha256", secret).update(body).digest("hex") };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/razorpay`, { method: "POST", agent, headers }, (res) => {
      res.resume();
      res.on("end", () => (res.statusCode === 200 ? resolve() : reject(new Error(`answered ${res.statusCode}`))));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

async function measure(): Promise<{ completion: number; repeat: number; least: number }> {
  const figures = { completion: [] as number[], repeat: [] as number[], least: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const bodies = (await application.ask<string[]>("pending", amount)).map(captured);
    figures.completion.push(await cpuPerDelivery(application, bodies));
    figures.repeat.push(await cpuPerDelivery(application, bodies));
    const others = (await raw.ask<string[]>("pending", amount)).map(captured);
    figures.least.push(await cpuPerDelivery(raw, others));
  }
  return { completion: median(figures.completion), repeat: median(figures.repeat), least: median(figures.least) };
}

type Figures = Awaited<ReturnType<typeof measure>>;

/** Measures with more and more earlier sales and prints how the cost grows. */
async function growth(title: string, column: string, sell: (count: number) => Promise<unknown>): Promise<void> {
  const rows: (Figures & { past: number })[] = [];
  let sold = 0;
  for (const past of [300, 3_000, 30_000]) {
    await sell(past - sold);
    sold = past;
    rows.push({ past, ...(await measure()) });
  }
  const table = rows.map(({ past, completion, repeat, least }) => ({
    [column]: past,
    ...{ "completion µs": completion, "raw µs": least, ratio: completion / least },
    ...{ "repeat µs": repeat, "repeat / raw": repeat / least },
  }));
  printTable(`POST /razorpay beside node:http + HMAC + the same writes (CPU per delivery): ${title}`, table);
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return;
  const times = (name: "completion" | "repeat") => (last[name] / first[name]).toFixed(2);
  process.stdout.write(`a hundred times as many: completion × ${times("completion")}, repeat × ${times("repeat")}\n`);
}

await measure(); // warm-up
await growth("sales of other courses", "past sales", (count) => application.ask("past", { count, crowd: false }));
await growth("sales of the same course", "past students", (count) => application.ask("past", { count, crowd: true }));
await application.end();
await raw.end();
await embedded?.close();
await rm(folder, { recursive: true, force: true });
