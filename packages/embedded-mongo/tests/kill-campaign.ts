import type { Document } from "mongodb";
import { MongoClient } from "mongodb";
import { kill, spawnDatabase } from "./processes.js";

/** A writer's record: acknowledged values, and the value of a write without a reply. */
interface Ledger {
  known: Map<number, number | undefined>;
  unsure: Map<number, number | undefined>;
}

export interface CampaignReport {
  kills: number;
  acknowledged: number;
  transfers: number;
  /** Broken promises in words; empty when all held. */
  broken: string[];
}

const WRITERS = 6;
const IDS = 40;
const ACCOUNTS = 8;
const CLERKS = 4;
const FUNDS = 1000;

/** Creates a random generator from a seed, so that a failing campaign can be repeated. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Kills the database with SIGKILL repeatedly while writers insert, update and delete, and clerks transfer money in
 * transactions. After each restart it compares stored and acknowledged data through a scan and through each index.
 */
export async function killCampaign(dataDir: string, kills: number, seed: number): Promise<CampaignReport> {
  const random = generator(seed);
  const ledgers = Array.from({ length: WRITERS }, (): Ledger => ({ known: new Map(), unsure: new Map() }));
  const transfers: Transfers = { next: 1, acknowledged: new Set() };
  const report: CampaignReport = { kills: 0, acknowledged: 0, transfers: 0, broken: [] };
  let database = await spawnDatabase(dataDir);
  for (let round = 0; round < kills; round += 1) {
    const client = new MongoClient(database.uri, { serverSelectionTimeoutMS: 1000 });
    const things = client.db("campaign").collection("things");
    await things.createIndexes([
      { key: { key: 1 }, unique: true },
      { key: { writer: 1, value: -1 } },
      { key: { tags: 1 } },
    ]);
    const accounts = client.db("campaign").collection<Account>("accounts");
    await client.db("campaign").collection("receipts").createIndex({ from: 1 });
    const opening = Array.from({ length: ACCOUNTS }, (_, _id) => ({
      updateOne: { filter: { _id }, update: { $setOnInsert: { funds: FUNDS } }, upsert: true },
    }));
    await accounts.bulkWrite(opening);
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
    const clerks = Array.from({ length: CLERKS }, async () => {
      while (!stopped && (await transfer(client, transfers, random)));
    });
    const moved = transfers.acknowledged.size;
    while (transfers.acknowledged.size === moved) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, random() * 120));
    await kill(database.process, "SIGKILL");
    stopped = true;
    // Start the next server while the clients of this one fail to reach it.
    const restarted = spawnDatabase(dataDir);
    await Promise.all([...writers, ...clerks]);
    await client.close(true);
    report.kills += 1;
    database = await restarted;
    const problems = [...(await verify(database.uri, ledgers)), ...(await audit(database.uri, transfers))];
    report.broken.push(...problems.map((text) => `after kill ${round + 1}: ${text}`));
    if (database.complaints() !== "") {
      report.broken.push(`after kill ${round + 1}: ${database.complaints()}`);
    }
    if (report.broken.length > 0) {
      break;
    }
  }
  await kill(database.process, "SIGTERM");
  report.transfers = transfers.acknowledged.size;
  return report;
}

/** Runs a write. @returns true when it was acknowledged. Without a reply both outcomes are possible. */
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

interface Account {
  _id: number;
  funds: number;
  /** The clerk's outgoing transfers. */
  out?: number[];
}

interface Receipt {
  _id: number;
  from: number;
  to: number;
  text: string;
}

interface Transfers {
  next: number;
  acknowledged: Set<number>;
}

/**
 * Transfers money and writes a receipt in one transaction. @returns true when the clerk may continue, as after a
 * conflict.
 */
async function transfer(client: MongoClient, transfers: Transfers, random: () => number): Promise<boolean> {
  const accounts = client.db("campaign").collection<Account>("accounts");
  const receipts = client.db("campaign").collection<Receipt>("receipts");
  const [from, to] = [Math.floor(random() * ACCOUNTS), Math.floor(random() * ACCOUNTS)];
  const _id = transfers.next;
  transfers.next += 1;
  const session = client.startSession();
  try {
    session.startTransaction();
    await accounts.updateOne({ _id: from }, { $inc: { funds: -1 }, $push: { out: _id } }, { session });
    await receipts.insertOne({ _id, from, to, text: "x".repeat(_id % 3000) }, { session });
    await accounts.updateOne({ _id: to }, { $inc: { funds: 1 } }, { session });
    await session.commitTransaction();
    transfers.acknowledged.add(_id);
  } catch (error) {
    return (error as { code?: unknown }).code === 112;
  } finally {
    await session.endSession().catch(() => undefined);
  }
  return true;
}

/** Checks that the sum of money is constant and that every acknowledged transfer is stored completely. */
async function audit(uri: string, { acknowledged }: Transfers): Promise<string[]> {
  const client = await new MongoClient(uri).connect();
  const accounts = await client.db("campaign").collection<Account>("accounts").find().toArray();
  const receipts = client.db("campaign").collection<Receipt>("receipts");
  const stored = await receipts.find().toArray();
  const indexed = await receipts.find({ from: { $gte: 0 } }).toArray();
  await client.close();
  const broken: string[] = [];
  const kept = new Set(stored.map(({ _id }) => _id));
  const missing = [...acknowledged].filter((_id) => !kept.has(_id));
  if (missing.length > 0) broken.push(`acknowledged transfers are missing: ${missing.join()}`);
  const sum = accounts.reduce((total, { funds }) => total + Number(funds), 0);
  if (accounts.length === ACCOUNTS && sum !== ACCOUNTS * FUNDS) broken.push(`the accounts hold ${sum}`);
  const sent = new Set(accounts.flatMap(({ out = [] }) => out));
  const [halves, others] = [[...kept].filter((_id) => !sent.has(_id)), [...sent].filter((_id) => !kept.has(_id))];
  if (halves.length + others.length > 0)
    broken.push(`receipts without transfer ${halves}, transfers without ${others}`);
  if (indexed.length !== stored.length)
    broken.push(`the index of receipts holds ${indexed.length} of ${stored.length}`);
  return broken;
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
