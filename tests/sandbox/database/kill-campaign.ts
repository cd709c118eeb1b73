import type { Document } from "mongodb";
import { MongoClient } from "mongodb";
import { kill, spawnDatabase } from "./processes.js";

/** What a writer knows of its documents: acknowledged values, and the value of a write whose reply never came. */
interface Ledger {
  known: Map<number, number | undefined>;
  unsure: Map<number, number | undefined>;
}

export interface CampaignReport {
  kills: number;
  acknowledged: number;
  /** Everything found wrong, in words; empty when all promises held. */
  broken: string[];
}

const WRITERS = 6;
const IDS = 40;

/** A small generator with a seed, so that a failing campaign can be run again. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Kills the database with SIGKILL again and again while writers insert, update and delete, and after each restart (the last
 * one too) compares what is stored with what was acknowledged, through a scan and through each index.
 */
export async function killCampaign(dataDir: string, kills: number, seed: number): Promise<CampaignReport> {
  const random = generator(seed);
  const ledgers = Array.from({ length: WRITERS }, (): Ledger => ({ known: new Map(), unsure: new Map() }));
  const report: CampaignReport = { kills: 0, acknowledged: 0, broken: [] };
  let database = await spawnDatabase(dataDir);
  for (let round = 0; round < kills; round += 1) {
    const client = new MongoClient(database.uri, { serverSelectionTimeoutMS: 2000 });
    const things = client.db("campaign").collection("things");
    await things.createIndexes([
      { key: { key: 1 }, unique: true },
      { key: { writer: 1, value: -1 } },
      { key: { tags: 1 } },
    ]);
    let stopped = false;
    const writers = ledgers.map(async (ledger, writer) => {
      while (!stopped) {
        const id = Math.floor(random() * IDS);
        if (!(await write(client, ledger, writer, id, random))) {
          return;
        }
        report.acknowledged += 1;
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 15 + random() * 120));
    await kill(database.process, "SIGKILL");
    stopped = true;
    await Promise.all(writers);
    await client.close(true);
    report.kills += 1;
    database = await spawnDatabase(dataDir);
    report.broken.push(...(await verify(database.uri, ledgers)).map((text) => `after kill ${round + 1}: ${text}`));
    if (database.complaints() !== "") {
      report.broken.push(`after kill ${round + 1}: ${database.complaints()}`);
    }
    if (report.broken.length > 0) {
      break;
    }
  }
  await kill(database.process, "SIGTERM");
  return report;
}

/** @returns whether the write was acknowledged; without a reply both outcomes stay possible. */
async function write(
  client: MongoClient,
  ledger: Ledger,
  writer: number,
  id: number,
  random: () => number,
): Promise<boolean> {
  const things = client.db("campaign").collection("things");
  const key = `${writer}-${id}`;
  const current = ledger.known.get(id);
  const next = current === undefined ? Math.floor(random() * 1000) : random() < 0.3 ? undefined : current + 1;
  ledger.unsure.set(id, next);
  try {
    if (current === undefined) {
      await things.insertOne({ key, writer, id, value: next, tags: [`t${Number(next) % 3}`, "all"] });
    } else if (next === undefined) {
      await things.deleteOne({ key });
    } else {
      await things.updateOne(
        { key },
        { $inc: { value: 1 }, $set: { tags: [`t${next % 3}`, "all"], fill: "x".repeat(next % 500) } },
      );
    }
  } catch {
    return false;
  }
  ledger.unsure.delete(id);
  ledger.known.set(id, next);
  return true;
}

async function verify(uri: string, ledgers: readonly Ledger[]): Promise<string[]> {
  const client = await new MongoClient(uri).connect();
  const things = client.db("campaign").collection("things");
  const broken: string[] = [];
  const stored = await things.find().hint({ $natural: 1 }).toArray();
  for (const [writer, ledger] of ledgers.entries()) {
    const mine = new Map(
      stored.filter((one) => one.writer === writer).map((one) => [Number(one.id), Number(one.value)]),
    );
    for (let id = 0; id < IDS; id += 1) {
      const possible = [ledger.known.get(id), ...(ledger.unsure.has(id) ? [ledger.unsure.get(id)] : [])];
      if (!possible.includes(mine.get(id))) {
        broken.push(`writer ${writer}, document ${id}: stored ${mine.get(id)}, acknowledged ${possible.join(" or ")}`);
      }
      ledger.known.set(id, mine.get(id));
    }
    ledger.unsure.clear();
  }
  const expected = identities(stored);
  for (const [name, filter] of Object.entries({
    key_1: {},
    "writer_1_value_-1": { writer: { $gte: 0 } },
    tags_1: { tags: "all" },
  })) {
    const through = identities(await things.find(filter).hint(name).toArray());
    if (through.join() !== expected.join()) {
      broken.push(`index ${name} holds ${through.length} documents, the collection ${expected.length}`);
    }
  }
  await client.close();
  return broken;
}

const identities = (documents: readonly Document[]) => documents.map(({ key, value }) => `${key}=${value}`).sort();
