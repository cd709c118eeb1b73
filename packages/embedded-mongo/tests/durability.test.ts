import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { beforeAll, expect, test } from "vitest";
import { startEmbeddedDatabase } from "../src/index.js";
import { killCampaign } from "./kill-campaign.js";
import { openSocket, opMsg } from "./messages.js";
import { compiled, kill, spawnDatabase } from "./processes.js";
import { temporaryFolder } from "./support.js";

const kills = Number(process.env.KILLS ?? 3);
const seed = Number(process.env.KILL_SEED ?? 1);

test("what was acknowledged survives being killed at any moment", { timeout: 60_000 + kills * 5000 }, async () => {
  const report = await killCampaign(temporaryFolder(), kills, seed);
  expect(report.broken).toEqual([]);
  expect(report.kills).toBe(kills);
  expect(report.acknowledged).toBeGreaterThan(kills);
  expect(report.transfers).toBeGreaterThan(kills);
  const { acknowledged, transfers } = report;
  process.stdout.write(`${kills} kills, ${acknowledged} acknowledged writes, ${transfers} transfers, seed ${seed}\n`);
});

test("killed in the moment it acknowledges, it has kept what it acknowledged", { timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  for (let round = 1; round <= 3; round += 1) {
    const { process: server, uri, complaints } = await spawnDatabase(folder);
    const socket = await openSocket(Number(new URL(uri).port));
    const exited = once(server, "exit");
    socket.once("data", () => server.kill("SIGKILL"));
    // The commit takes longer than the reply and the signal need.
    socket.write(
      opMsg({ insert: "things", documents: [{ _id: round, text: "x".repeat(8_000_000) }], $db: "acknowledged" }),
    );
    await exited;
    expect(complaints()).toBe("");
    const database = await startEmbeddedDatabase({ dataDir: folder });
    const client = await new MongoClient(database.uri).connect();
    const kept = await client.db("acknowledged").collection("things").find().project({ _id: 1 }).toArray();
    expect(kept.map(({ _id }) => _id)).toEqual(Array.from({ length: round }, (_, at) => at + 1));
    await client.close();
    await database.close();
  }
});

test("on a full disk it ends, and has kept what it acknowledged", { timeout: 60_000 }, async () => {
  const folder = temporaryFolder();
  const full = await spawnDatabase(folder, "3000");
  const exited = once(full.process, "exit");
  const client = new MongoClient(full.uri, { serverSelectionTimeoutMS: 1000 });
  const text = "x".repeat(20_000);
  let acknowledged = 0;
  // Many writes run at once, so that one waits while another fails.
  const writers = Array.from({ length: 16 }, async () => {
    for (; acknowledged < 1000; acknowledged += 1) await client.db("full").collection("things").insertOne({ text });
  });
  const ends = await Promise.allSettled(writers);
  expect(ends.map(({ status }) => status)).toEqual(writers.map(() => "rejected"));
  expect(acknowledged).toBeGreaterThan(5);
  await Promise.all([exited, client.close(true)]);
  expect(full.complaints()).toContain("it ends");
  const database = await startEmbeddedDatabase({ dataDir: folder });
  const again = await new MongoClient(database.uri).connect();
  const kept = await again.db("full").collection("things").countDocuments({ text });
  expect(kept).toBeGreaterThanOrEqual(acknowledged);
  expect(kept).toBeLessThanOrEqual(acknowledged + writers.length);
  await again.close();
  await database.close();
});

test("a folder belongs to one process, a killed one gives it up, a stopped one closes cleanly", async () => {
  const folder = temporaryFolder();
  const first = await spawnDatabase(folder);
  expect(first.uri).toMatch(/^mongodb:\/\/127\.0\.0\.1:\d+\/lyceum\?directConnection=true&retryWrites=false$/);
  await expect(spawnDatabase(folder)).rejects.toThrow(/in use by process \d+/);
  await expect(startEmbeddedDatabase({ dataDir: folder })).rejects.toThrow(/in use by process/);
  await kill(first.process, "SIGKILL");
  const second = await spawnDatabase(folder);
  expect(await kill(second.process, "SIGTERM")).toBe(0);
  const third = await startEmbeddedDatabase({ dataDir: folder });
  await expect(startEmbeddedDatabase({ dataDir: folder })).rejects.toThrow(/in use by process/);
  await third.close();
});

test("of four processes that come at once to one folder, new or a killed one's, one has it", {
  timeout: 60_000,
}, async () => {
  const program = compiled("starter.ts");
  const starters = Array.from({ length: 4 }, () => fork(program, { execArgv: [] }));
  const answers = () => Promise.all(starters.map(async (starter) => (await once(starter, "message"))[0]));
  const told = (order: object) => {
    const all = answers();
    for (const starter of starters) starter.send(order);
    return all;
  };
  await answers();
  for (let round = 0; round < 20; round += 1) {
    const folder = temporaryFolder();
    if (round % 2 === 0) writeFileSync(join(folder, "lyceum.lock"), "999999 1");
    const came = await told({ folder, at: Date.now() + 5 });
    expect(came.sort()).toEqual(["held", "refused", "refused", "refused"]);
    await told({});
  }
  for (const starter of starters) await kill(starter, "SIGTERM");
});

test.each([
  ["a reclaim that was killed half way", { "lyceum.lock": "999999 1", "lyceum.lock-reclaim": "999999 1" }],
  ["a lock that says nothing", { "lyceum.lock": "" }],
  ["a lock of garbage", { "lyceum.lock": "\0\xff\x07 lock" }],
])("%s is reclaimed", async (_what, files) => {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content, "latin1");
  const database = await startEmbeddedDatabase({ dataDir: folder });
  expect(readdirSync(folder).sort()).toEqual(["lyceum.lock", "lyceum.mdb", "lyceum.mdb-lock"]);
  await database.close();
});

test("what an index has learned of its documents is known after a restart, and new collections stay apart", async () => {
  const folder = temporaryFolder();
  const during = async (work: (client: MongoClient) => Promise<void>) => {
    const database = await startEmbeddedDatabase({ dataDir: folder });
    const client = await new MongoClient(database.uri).connect();
    await work(client);
    await client.close();
    await database.close();
  };
  await during(async (client) => {
    const things = client.db("kept").collection("things");
    await things.createIndex({ numbers: 1 });
    await things.insertMany([{ numbers: [0, 5] }, { numbers: [5, 0] }]);
  });
  await during(async (client) => {
    const things = client.db("kept").collection("things");
    const others = client.db("kept").collection("others");
    await others.createIndex({ numbers: 1 });
    await others.insertOne({ numbers: 2 });
    expect(await things.countDocuments({ numbers: { $gt: 1, $lt: 4 } })).toBe(2);
    expect(await things.countDocuments({ numbers: 2 })).toBe(0);
    expect(await others.countDocuments({ numbers: { $gte: 0 } })).toBe(1);
  });
});

/** Creates the file of a database with several hundred documents and with free pages. */
let sound: Buffer;

beforeAll(async () => {
  const folder = temporaryFolder();
  const database = await startEmbeddedDatabase({ dataDir: folder });
  const client = await new MongoClient(database.uri).connect();
  const things = client.db("kept").collection("things");
  for (let batch = 0; batch < 5; batch += 1) {
    await things.insertMany(Array.from({ length: 200 }, (_, at) => ({ batch, at, text: `precious text ${at}` })));
    await things.deleteMany({ batch, at: { $lt: 100 } });
  }
  await client.close();
  await database.close();
  sound = readFileSync(join(folder, "lyceum.mdb"));
});

/** Finds the trees in the file. LMDB's first two pages name their roots; the newer page counts. */
function places() {
  const size = sound.readUInt32LE(48);
  const newer = sound.readBigUInt64LE(152) > sound.readBigUInt64LE(size + 152) ? 0 : size;
  const root = (tree: number) => size * Number(sound.readBigUInt64LE(newer + tree + 40));
  const firstEntry = (page: number) => page + 24 + sound.readUInt16LE(page + 24);
  return { newer, entries: root(96), free: root(48), freeList: firstEntry(root(48)) + 16, firstEntry };
}

function flipped(...positions: number[]): Buffer[] {
  return positions.map((at) => {
    const bytes = Buffer.from(sound);
    bytes[at] = (bytes[at] ?? 0) ^ 0x10;
    return bytes;
  });
}

const damages: [string, () => Buffer[]][] = [
  [
    "cut short",
    () => [100, 4096, 5000, 0.3, 0.5, 0.9].map((part) => sound.subarray(0, part < 1 ? sound.length * part : part)),
  ],
  ["overwritten", () => [0, 0x5a, 0xff].map((byte) => Buffer.alloc(sound.length, byte))],
  [
    "changed in one letter",
    () => [100, 150, 199].map((at) => sound.lastIndexOf(`precious text ${at}`)).flatMap((at) => flipped(at, at + 9)),
  ],
  [
    "changed in a first page",
    () => {
      const { newer } = places();
      // The fields are: magic, version, map size, page size, kinds and roots of the trees, number of entries, last
      // page.
      return flipped(...[24, 28, 46, 48, 52, 88, 100, 136, 128, 144, 148].map((at) => newer + at));
    },
  ],
  [
    "changed in a page that leads to others",
    () => {
      const { entries, firstEntry } = places();
      const second = entries + 24 + sound.readUInt16LE(entries + 26);
      return flipped(
        entries,
        entries + 15,
        entries + 18,
        entries + 20,
        entries + 24,
        firstEntry(entries),
        second + 8,
        second + 11,
      );
    },
  ],
  [
    "changed in the list of free pages",
    () => {
      const { free, freeList } = places();
      return flipped(
        free,
        free + 18,
        freeList,
        freeList + 1,
        freeList + 8,
        freeList + 9,
        freeList + 15,
        freeList + 16,
        freeList + 24,
      );
    },
  ],
];

test.each(damages)("a file %s is told of, kept aside, and replaced by an empty database", async (_how, damaged) => {
  for (const [at, bytes] of damaged().entries()) {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "lyceum.mdb"), bytes);
    const told: string[] = [];
    const database = await startEmbeddedDatabase({ dataDir: folder, warn: (message) => told.push(message) });
    expect(told, `damage ${at}`).toEqual([expect.stringMatching(/is damaged .* kept as .*lyceum\.mdb\.damaged-/)]);
    const aside = readdirSync(folder).filter((name) => name.includes("damaged"));
    expect(aside).toHaveLength(1);
    expect(readFileSync(join(folder, aside[0] ?? "")).equals(bytes)).toBe(true);
    const client = await new MongoClient(database.uri).connect();
    expect(await client.db("kept").collection("things").countDocuments()).toBe(0);
    await client.close();
    await database.close();
  }
});

test("a sound file is taken as it is, whatever was freed in it", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "lyceum.mdb"), sound);
  const told: string[] = [];
  const database = await startEmbeddedDatabase({ dataDir: folder, warn: (message) => told.push(message) });
  const client = await new MongoClient(database.uri).connect();
  expect(
    await client
      .db("kept")
      .collection("things")
      .countDocuments({ at: { $gte: 100 } }),
  ).toBe(500);
  expect(told).toEqual([]);
  await client.close();
  await database.close();
});

test("dropped collections stay dropped and their space is used again", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "lyceum.mdb");
  writeFileSync(file, sound);
  let size = 0;
  for (let round = 0; round < 4; round += 1) {
    const database = await startEmbeddedDatabase({ dataDir: folder });
    const client = await new MongoClient(database.uri).connect();
    const db = client.db("kept");
    await db.dropDatabase();
    expect(await db.listCollections().toArray()).toEqual([]);
    await db
      .collection("things")
      .insertMany(Array.from({ length: 500 }, (_, at) => ({ at, text: `precious text ${at}` })));
    expect(await db.collection("things").countDocuments({ at: { $gte: 0 } })).toBe(500);
    await client.close();
    await database.close();
    size = round === 1 ? statSync(file).size : size;
  }
  expect(statSync(file).size).toBeLessThanOrEqual(size * 1.5);
});
