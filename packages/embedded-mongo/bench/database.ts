import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Collection, MongoClient } from "mongodb";

/**
 * Measures the embedded database: rates with 1 and 16 clients beside the server that `CROSS_CHECK_URI` names, growth of
 * point operations from 1,000 to 100,000 documents, memory, file size, and the time to open the folder.
 */
const COMMAND = fileURLToPath(new URL("../src/cli.ts", import.meta.url));
const SMALL = 1000;
const MIDDLE = 10_000;
const LARGE = 100_000;

interface Running {
  uri: string;
  pid: number;
  stop: () => Promise<void>;
}

async function startEmbedded(dataDir: string): Promise<Running> {
  const child = spawn(process.execPath, ["--import", "tsx", COMMAND], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: "0" },
  });
  child.stderr.pipe(process.stderr);
  const [line] = await once(child.stdout, "data");
  const stop = async () => {
    child.kill("SIGTERM");
    await once(child, "exit");
  };
  return { uri: /^MONGODB_URI=(.+)$/m.exec(String(line))?.[1] ?? "", pid: child.pid ?? 0, stop };
}

/** Generates documents of about 300 bytes, a hundred for each user. */
const documentAt = (at: number, users: number) => ({
  _id: at as never,
  key: `key-${at}`,
  userId: `user-${at % users}`,
  score: at % 997,
  createdAt: new Date(1_700_000_000_000 + at * 1000),
  text: "a line of text ".repeat(12),
});

async function fill(collection: Collection, count: number): Promise<void> {
  await collection.drop().catch(() => false);
  await collection.createIndexes([{ key: { key: 1 }, unique: true }, { key: { userId: 1, createdAt: -1 } }]);
  for (let at = 0; at < count; at += 1000) {
    await collection.insertMany(
      Array.from({ length: Math.min(1000, count - at) }, (_, place) => documentAt(at + place, count / 100)),
    );
  }
}

type Work = (collection: Collection, turn: number, client: MongoClient) => Promise<unknown>;

const spread = (turn: number, count: number) => (turn * 7919) % count;

/** Lists the measured operations. `count` is the number of documents; new documents are numbered from `fresh`. */
function operations(count: number, fresh: { next: number }): [string, Work, number][] {
  return [
    ["read by _id", (c, turn) => c.findOne({ _id: spread(turn, count) as never }), 1],
    ["read by unique key", (c, turn) => c.findOne({ key: `key-${spread(turn, count)}` }), 1],
    [
      "insert",
      (c) => {
        fresh.next += 1;
        return c.insertOne(documentAt(fresh.next, count / 100));
      },
      1,
    ],
    [
      "transaction of 3 writes",
      (c, turn, client) =>
        client.withSession((session) =>
          session.withTransaction(async () => {
            fresh.next += 1;
            await c.insertOne(documentAt(fresh.next, count / 100), { session });
            // Concurrent clients write different documents.
            await c.updateOne({ _id: spread(turn * 2, count) as never }, { $inc: { score: 1 } }, { session });
            await c.updateOne({ key: `key-${spread(turn * 2 + 1, count)}` }, { $inc: { score: 1 } }, { session });
          }),
        ),
      1,
    ],
    ["$inc", (c, turn) => c.updateOne({ _id: spread(turn, count) as never }, { $inc: { score: 1 } }), 1],
    [
      "find 100",
      (c, turn) =>
        c
          .find({ userId: `user-${turn % (count / 100)}` })
          .sort({ createdAt: -1 })
          .limit(100)
          .toArray(),
      10,
    ],
    [
      "$group",
      (c) => c.aggregate([{ $group: { _id: "$userId", n: { $sum: 1 }, mean: { $avg: "$score" } } }]).toArray(),
      200,
    ],
  ];
}

/** Measures operations a second. `weight` shortens the run of slow operations. */
async function rate(clients: MongoClient[], work: Work, weight: number): Promise<number> {
  const milliseconds = 1200;
  let turn = 0;
  const things = (client: MongoClient) => client.db("bench").collection("things");
  await Promise.all(clients.map((client, at) => work(things(client), at * 100, client)));
  const begun = performance.now();
  let done = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - begun < milliseconds && done * weight < 200_000) {
        turn += 1;
        await work(things(client), turn, client);
        done += 1;
      }
    }),
  );
  return (done * 1000) / (performance.now() - begun);
}

/** Measures every operation with 1 and 16 clients on `count` documents. */
async function measure(uri: string, count: number): Promise<Map<string, number>> {
  const clients = await Promise.all(
    Array.from({ length: 16 }, () => new MongoClient(uri, { maxPoolSize: 1 }).connect()),
  );
  const [first] = clients;
  const rates = new Map<string, number>();
  if (first !== undefined) {
    await fill(first.db("bench").collection("things"), count);
    const fresh = { next: count };
    for (const [name, work, weight] of operations(count, fresh)) {
      if (name === "$group" && count !== MIDDLE) continue; // its time grows with the collection
      rates.set(`${name}, 1 client`, await rate([first], work, weight));
      rates.set(`${name}, 16 clients`, await rate(clients, work, weight));
    }
  }
  await Promise.all(clients.map((client) => client.close()));
  return rates;
}

const residentMegabytes = (pid: number): string => {
  try {
    return (Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024).toFixed(0);
  } catch {
    return "?";
  }
};

const print = (...columns: (string | number)[]) =>
  process.stdout.write(
    `${columns.map((column, at) => (at === 0 ? String(column).padEnd(32) : String(column).padStart(14))).join("")}\n`,
  );

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "lyceum-bench-"));
  let embedded = await startEmbedded(dataDir);
  const other = process.env.CROSS_CHECK_URI;

  const middle = await measure(embedded.uri, MIDDLE);
  const theirs = other === undefined ? undefined : await measure(other, MIDDLE);
  print(`${MIDDLE} documents`, "embedded/s", ...(theirs ? ["other/s", "ratio"] : []));
  for (const [name, mine] of middle) {
    const rival = theirs?.get(name);
    print(name, mine.toFixed(0), ...(rival === undefined ? [] : [rival.toFixed(0), (mine / rival).toFixed(2)]));
  }

  const small = await measure(embedded.uri, SMALL);
  const large = await measure(embedded.uri, LARGE);
  print("\ntime of one, 100k to 1k", "1k/s", "100k/s", "growth");
  for (const [name, before] of small) {
    const after = large.get(name) ?? 0;
    print(name, before.toFixed(0), after.toFixed(0), (before / after).toFixed(2));
  }
  print("\nresident with 100k, MB", residentMegabytes(embedded.pid));
  print("file, MB", (statSync(join(dataDir, "lyceum.mdb")).size / 1_048_576).toFixed(0));
  await embedded.stop();

  const { startEmbeddedDatabase } = await import("../src/index.js");
  const begun = performance.now();
  const reopened = await startEmbeddedDatabase({ dataDir });
  print("opening that folder, ms", (performance.now() - begun).toFixed(0));
  await reopened.close();
  embedded = await startEmbedded(dataDir);
  print("resident after opening, MB", residentMegabytes(embedded.pid));
  await embedded.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

await main();
