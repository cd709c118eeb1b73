/**
 * Reads that grow or that sales could disturb, in production: this build beside another one, in turns within one run.
 * Both checkouts must have been built (`npm run build`). The database is the embedded one, each server's in a process of
 * its own, or the one that MONGODB_URI names.
 *
 *     npx tsx bench/reads.ts [folder of another built checkout] [only rows whose name has this in it]
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startEmulators } from "@lyceum/provider-emulators";
import mongoose, { Types } from "mongoose";
import { createDb } from "../src/db/db.js";
import { addSales } from "../tests/factories/stored-sales.js";
import { fillCommunity, fillLists } from "./subjects/community-scene.js";
import { dropDatabase, fillCatalog } from "./subjects/plain-catalog.js";
import { startProduction } from "./subjects/production.js";
import { cpuPerRequest, median, percentile, printTable, type Subject, startSubject } from "./support.js";

const [other = "", only = ""] = process.argv.slice(2);
const rounds = Number(process.env.ROUNDS ?? 5);
const firstPort = Number(process.env.PORT ?? 21_350);
const origin = "http://localhost:5173";
const students = 40_000;
/** Of a catalog with sales: requests of a round, how many at once, and each how many is a sale. */
const mixed = { amount: 3_000, atOnce: 32, oneIn: 20 };

const dataDir = await mkdtemp(join(tmpdir(), "lyceum-bench-"));
const sandbox = await startEmulators({ MONGODB_URI: "mongodb://unused", DATA_DIR: dataDir }, { dataDir });
const tokenOf = (id: string): string =>
  sandbox.identity?.issueToken(id, { expiresInSeconds: 7200, claims: { azp: origin } }) ?? "";
const signedAs = (id: string) => ({ authorization: `Bearer ${tokenOf(id)}` });

/** A built checkout on a database of its own, filled past the application. */
async function start(root: string, index: number) {
  const database = process.env.MONGODB_URI ? undefined : await startSubject("bench/subjects/database.ts");
  const uri = new URL(process.env.MONGODB_URI ?? database?.url ?? "");
  uri.pathname = `/bench_reads_${process.pid}_${index}`;
  const addresses = { FRONTEND_URL: origin, BACKEND_URL: "http://localhost:3000", MONGODB_URI: uri.href };
  const port = String(firstPort + index);
  const server = await startProduction(root, { ...sandbox.variables, ...addresses, PORT: port, DATA_DIR: dataDir });
  const connection = await mongoose.createConnection(uri.href).asPromise();
  const db = createDb(connection);
  return {
    server,
    db,
    uri: uri.href,
    async end() {
      await connection.close();
      await server.end();
      await dropDatabase(uri.href);
      await database?.end();
    },
  };
}
type Running = Awaited<ReturnType<typeof start>>;

const agent = new Agent({ keepAlive: true, maxSockets: mixed.atOnce });

/** @returns milliseconds until the whole answer was there. */
function timed(url: string, method: string, headers: Record<string, string>, body?: string): Promise<number> {
  return new Promise((done, reject) => {
    const began = performance.now();
    const sent = request(url, { agent, method, headers }, (res) => {
      if (res.statusCode !== 200) reject(new Error(`${url} answered ${res.statusCode}`));
      res.resume().on("end", () => done(performance.now() - began));
    });
    sent.on("error", reject).end(body);
  });
}

/** Purchases that wait for their webhook, over some courses. */
async function openPurchases({ server }: Running, courses: string[], count: number) {
  const opened: { body: string; headers: Record<string, string> }[] = [];
  for (let n = 0; n < count; n += 1) {
    const headers = { ...signedAs(`user_${randomBytes(8).toString("hex")}`), "content-type": "application/json" };
    const courseId = courses[n % courses.length];
    const answer = await fetch(`${server.url}/api/user/purchase`, {
      ...{ method: "POST", headers, body: JSON.stringify({ courseId }) },
    });
    const { purchaseId, orderId } = (await answer.json()) as { purchaseId: string; orderId: string };
    const id = `pay_${randomBytes(7).toString("hex")}`;
    const amount = ((await priceOf(server.url, courseId ?? "")) * 100) | 0;
    const entity = { id, amount, currency: "INR", order_id: orderId, notes: { purchaseId } };
    const body = JSON.stringify({ event: "payment.captured", payload: { payment: { entity } } });
    opened.push({ body, headers: sandbox.payments?.signWebhook(body) ?? {} });
  }
  return opened;
}

async function priceOf(url: string, courseId: string): Promise<number> {
  const { courseData } = (await (await fetch(`${url}/api/course/${courseId}`)).json()) as {
    courseData: { coursePrice: number; discount: number };
  };
  return courseData.coursePrice * (1 - courseData.discount / 100);
}

/** Half of the catalog's requests take no longer than this, in milliseconds. */
async function catalogMedian({ server }: Running, sales: { body: string; headers: Record<string, string> }[]) {
  const catalog: number[] = [];
  let left = mixed.amount;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const sale = left % mixed.oneIn === 0 ? sales.pop() : undefined;
      if (sale) await timed(`${server.url}/razorpay`, "POST", sale.headers, sale.body);
      else catalog.push(await timed(`${server.url}/api/course/all`, "GET", { "accept-encoding": "br" }));
    }
  };
  await Promise.all(Array.from({ length: mixed.atOnce }, work));
  return median(catalog);
}

const running = [await start(resolve("."), 0), ...(other ? [await start(resolve(other), 1)] : [])];
const names = ["this", "other"];
const rows: Record<string, string | number>[] = [];
const round2 = (value: number): number => Math.round(value * 100) / 100;

/** One row: a figure of each build, taken in turns. */
async function row(name: string, measure: (one: Running, index: number) => Promise<number>): Promise<void> {
  if (!name.includes(only)) return;
  const figures: number[][] = running.map(() => []);
  for (let n = 0; n < rounds; n += 1) {
    for (const [i, one] of running.entries()) figures[i]?.push(await measure(one, i));
  }
  const shown = figures.map((some, i) => {
    const spread = `${round2(percentile(some, 0))}–${round2(percentile(some, 100))}`;
    return { [names[i] ?? ""]: round2(median(some)), [`${names[i]} spread`]: spread };
  });
  rows.push(Object.assign({ row: name }, ...shown));
  process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`);
}

const cpu =
  (path: (index: number) => string, amount: number, headers: Record<string, string> = {}, connections = 4) =>
  async ({ server }: Running, i: number): Promise<number> =>
    (await cpuPerRequest(server as unknown as Subject, { path: path(i), amount, connections, headers })) / 1_000;

const ids = await Promise.all(running.map(({ uri }) => fillCatalog(uri, 500)));
if ("catalog".includes(only) || only.startsWith("catalog")) {
  const waiting = await Promise.all(
    running.map((one, i) => openPurchases(one, ids[i] ?? [], (rounds * mixed.amount) / mixed.oneIn + rounds)),
  );
  for (const one of running) await catalogMedian(one, []);
  await row("catalog of 500, quiet: p50 ms", (one) => catalogMedian(one, []));
  await row("catalog of 500, 5 % sales: p50 ms", (one, i) => catalogMedian(one, waiting[i] ?? []));
}

if (["post", "posts"].some((name) => name.startsWith(only) || only.startsWith(name))) {
  const scenes = await Promise.all(
    running.map(({ db }) => fillCommunity(db, { authorId: "user_author", size: 1_000, posts: 1 })),
  );
  await row(
    "post with 1,000 replies: CPU ms",
    cpu((i) => `/api/community/posts/${scenes[i]?.posts[0]?.postId}`, 60),
  );
  const list = () => "/api/community/posts?limit=20&page=1";
  await Promise.all(running.map(({ db }) => fillLists(db, { posts: 99, groups: 4, memberId: "user_member" })));
  await row("posts, first 20 of 100: CPU ms", cpu(list, 300));
  await row("posts, first 20 of 100: ms", ({ server }) => serial(`${server.url}${list()}`, 60));
  await Promise.all(running.map(({ db }) => fillLists(db, { posts: 9_900, groups: 4, memberId: "user_member" })));
  await row("posts, first 20 of 10,000: CPU ms", cpu(list, 300));
  await row("posts, first 20 of 10,000: ms", ({ server }) => serial(`${server.url}${list()}`, 60));
}

/** Median time of requests one after another. */
async function serial(url: string, count: number): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) times.push(await timed(url, "GET", {}));
  return median(times);
}

if ("dashboard".startsWith(only) || only.startsWith("dashboard")) {
  for (const [i, { db }] of running.entries()) {
    const role = { role: "educator", writtenAt: new Date() };
    await db.RoleRecord.updateOne({ _id: "user_educator_0" }, { $set: role }, { upsert: true });
    for (let left = students; left > 0; left -= 5_000) await addSales(db, new Types.ObjectId(ids[i]?.[0]), 5_000);
  }
  const headers = signedAs("user_educator_0");
  const path = "/api/educator/dashboard";
  await row("dashboard of 40,000: CPU s", async ({ server }) => {
    const before = await server.cpu();
    for (let n = 0; n < 3; n += 1) await timed(server.url + path, "GET", headers);
    return ((await server.cpu()) - before) / 3_000_000;
  });
  await row("others' p99 meanwhile: ms", async ({ server }) => {
    let busy = true;
    const times: number[] = [];
    const others = (async () => {
      while (busy) {
        times.push(await timed(`${server.url}/api/course/all`, "GET", { "accept-encoding": "br" }));
        await pause(5);
      }
    })();
    for (let n = 0; n < 3; n += 1) await timed(server.url + path, "GET", headers);
    busy = false;
    await others;
    return percentile(times, 99);
  });
}

printTable(`Reads in production, medians of ${rounds} rounds in turns`, rows);
for (const { end } of running) await end();
agent.destroy();
await sandbox.close();
await rm(dataDir, { recursive: true, force: true });
