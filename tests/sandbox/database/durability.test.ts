import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { expect, test } from "vitest";
import { startEmbeddedDatabase } from "../../../src/sandbox/database/index.js";
import { killCampaign } from "./kill-campaign.js";
import { kill, spawnDatabase } from "./processes.js";
import { temporaryFolder } from "./support.js";

const kills = Number(process.env.KILLS ?? 5);
const seed = Number(process.env.KILL_SEED ?? 1);

test("what was acknowledged survives being killed at any moment", { timeout: 60_000 + kills * 5000 }, async () => {
  const report = await killCampaign(temporaryFolder(), kills, seed);
  expect(report.broken).toEqual([]);
  expect(report.kills).toBe(kills);
  expect(report.acknowledged).toBeGreaterThan(kills);
  process.stdout.write(`${report.kills} kills, ${report.acknowledged} acknowledged writes, seed ${seed}\n`);
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

/** Filled by a process of its own, which has let go of the file when this returns. */
async function filled(folder: string): Promise<string> {
  const database = await spawnDatabase(folder);
  const client = await new MongoClient(database.uri).connect();
  await client
    .db("kept")
    .collection("things")
    .insertMany(Array.from({ length: 500 }, (_, at) => ({ at, text: `precious text ${at}` })));
  await client.close();
  await kill(database.process, "SIGTERM");
  return join(folder, "lyceum.mdb");
}

const damages: [string, (file: string) => void][] = [
  ["cut short", (file) => truncateSync(file, Math.floor(statSync(file).size / 2))],
  ["overwritten", (file) => writeFileSync(file, Buffer.alloc(statSync(file).size, 0x5a))],
  [
    "changed in one letter",
    (file) => {
      const bytes = readFileSync(file);
      const at = bytes.lastIndexOf("precious text 250");
      bytes.write("P", at);
      writeFileSync(file, bytes);
    },
  ],
];

test.each(damages)("a file %s is told of, kept aside, and replaced by an empty database", async (_how, damage) => {
  const folder = temporaryFolder();
  const file = await filled(folder);
  damage(file);
  const damaged = readFileSync(file);
  const told: string[] = [];
  const database = await startEmbeddedDatabase({ dataDir: folder, warn: (message) => told.push(message) });
  expect(told).toEqual([expect.stringMatching(/is damaged .* kept as .*lyceum\.mdb\.damaged-/)]);
  const aside = readdirSync(folder).filter((name) => name.includes("damaged"));
  expect(aside).toHaveLength(1);
  expect(readFileSync(join(folder, aside[0] ?? "")).equals(damaged)).toBe(true);
  const client = await new MongoClient(database.uri).connect();
  expect(await client.db("kept").collection("things").countDocuments()).toBe(0);
  await client.close();
  await database.close();
});

test("dropped collections stay dropped and their room is used again", async () => {
  const folder = temporaryFolder();
  const file = await filled(folder);
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
