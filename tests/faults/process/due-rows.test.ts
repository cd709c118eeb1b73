import { pino } from "pino";
import { beforeEach, expect, test } from "vitest";
import { createDb, type Db } from "../../../src/db/db.js";
import { createJob } from "../../../src/jobs/create-job.js";
import { dueBatch } from "../../../src/jobs/due-batch.js";
import { dueRows } from "../../../src/jobs/due-rows.js";
import type { Work } from "../../../src/jobs/job.js";
import { type Mail, newMail } from "../../../src/models/notices/mail.js";
import { commandsDuring, effortOf } from "../../assertions/commands.js";
import { connectThrough, startDatabaseProxy } from "../../server/database-proxy.js";
import { startTestServer } from "../../server/test-server.js";

/* What every job promises about its rows, shown with rows of mails. */

const server = await startTestServer({ own: "works on all mails" });
const { db } = server.deps;
const Mails = db.Mail;
const pauses = { firstMs: 60_000, maxMs: 120_000 };

beforeEach(() => Mails.deleteMany({}));

let made = 0;
/** A due mail, each a little later than the one before. */
async function due(userId = "a", fields: Partial<Mail> = {}) {
  made += 1;
  const at = new Date(Date.now() - 100_000 + made);
  const mail = newMail({ userId, type: "announcement", title: `${userId}${made}`, body: "", link: null }, at);
  await Mails.create({ ...mail, ...fields });
  return mail;
}
const dueMany = async (count: number, userId = "a"): Promise<Mail[]> => {
  const mails: Mail[] = [];
  for (let n = 0; n < count; n += 1) mails.push(await due(userId));
  return mails;
};
const end = ({ _id }: Pick<Mail, "_id">) => Mails.updateOne({ _id }, { $unset: { nextAttemptAt: 1 } });
const dueNow = () => Mails.countDocuments({ nextAttemptAt: { $lte: new Date() } });

/** Runs a job with this work to its end. */
async function run(work: Work | Work[], { signal = new AbortController().signal } = {}) {
  const lines: { eventId: string; attempt: number }[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const done = await createJob({ db, log }, { name: "test", work }).run(signal);
  return { done, lines };
}

test("a row that throws is moved, counted and logged the first, tenth, hundredth time, and stops no other row", async () => {
  const [bad, good] = [await due(), await due()];
  const work = dueRows(Mails, "nextAttemptAt", { pauses, done: "sent" }, async (row) => {
    if (row._id.equals(bad._id)) throw new Error("no");
    await end(row);
    return "done";
  });
  const logged: number[] = [];
  for (let n = 0; n < 11; n += 1) {
    const { done, lines } = await run(work);
    expect(done).toBe(n === 0 ? "1 sent" : undefined);
    logged.push(...lines.map(({ attempt }) => attempt));
    expect(await dueNow()).toBe(0);
    expect((await Mails.findById(bad._id).lean())?.attempts).toBe(n + 1);
    await Mails.updateOne({ _id: bad._id }, { nextAttemptAt: new Date() });
  }
  expect(logged).toEqual([1, 10]);
  expect(await Mails.findById(good._id).lean()).not.toHaveProperty("nextAttemptAt");
});

test("without pauses a row that throws stays due for the next run", async () => {
  await dueMany(3);
  let tries = 0;
  const work = dueRows(Mails, "nextAttemptAt", {}, async () => {
    tries += 1;
    throw new Error("no");
  });
  await run(work);
  expect([tries, await dueNow()]).toEqual([3, 3]);
  await run(work);
  expect(tries).toBe(6);
});

test("a row that changed during its failure keeps its date", async () => {
  const { _id } = await due();
  const now = new Date();
  const options = { pauses, guard: ["title" as const], perRun: 1 };
  await run(
    dueRows(Mails, "nextAttemptAt", options, async () => {
      await Mails.updateOne({ _id }, { title: "another", nextAttemptAt: now });
      throw new Error("no");
    }),
  );
  expect(await Mails.findById(_id).lean()).toMatchObject({ nextAttemptAt: now, attempts: 0 });
});

test("three rows in a row without an answer end the run, and a later date is no failure", async () => {
  await dueMany(9);
  let tries = 0;
  const away = async () => {
    tries += 1;
    return "away" as const;
  };
  await run(dueRows(Mails, "nextAttemptAt", { pauses }, away));
  expect([tries, await dueNow()]).toEqual([3, 6]);
  const refuse = async () => {
    tries += 1;
    throw new TypeError("no answer");
  };
  const isAway = (error: unknown) => error instanceof TypeError;
  await run(dueRows(Mails, "nextAttemptAt", { pauses, isAway }, refuse));
  expect([tries, await dueNow()]).toEqual([6, 3]);
  const later = new Date(Date.now() + 60_000);
  await run(dueRows(Mails, "nextAttemptAt", {}, async () => ({ later })));
  expect(await Mails.countDocuments({ nextAttemptAt: later, attempts: 0 })).toBe(3);
});

test("a stop ends the run after the row under way, and is no failure of that row", async () => {
  await dueMany(3);
  const stop = new AbortController();
  const work = dueRows(Mails, "nextAttemptAt", { pauses }, async () => {
    stop.abort();
    throw new Error("stopped");
  });
  const { lines } = await run(work, { signal: stop.signal });
  expect([lines, await dueNow()]).toEqual([[], 3]);
});

test("a database that is away ends the run", async () => {
  await dueMany(3);
  const proxy = await startDatabaseProxy(server.databaseUri);
  const database = await connectThrough(proxy);
  const own: Db = createDb(database);
  let tries = 0;
  const write = async () => {
    tries += 1;
    proxy.mode("cut");
    await own.Mail.updateMany({}, { title: "never" });
    return 0;
  };
  await expect(run(dueBatch(own.Mail, "nextAttemptAt", { size: 3, pauses }, write))).rejects.toThrow();
  expect([tries, await dueNow()]).toEqual([1, 3]);
  await database.destroy();
  await proxy.close();
});

test("owners take turns, rows without an owner as one of them, and urgent rows go first", async () => {
  await dueMany(5, "a");
  await dueMany(2, "b");
  await dueMany(3, "c");
  for (const { _id } of await dueMany(2, "-")) await Mails.updateOne({ _id }, { $unset: { ownerId: 1 } });
  const order: string[] = [];
  const options = { turnsBy: "ownerId", first: { type: "purchase_receipt" }, perRead: 2 } as const;
  await run(
    dueRows(Mails, "nextAttemptAt", options, async (row) => {
      order.push(row.userId);
      await end(row);
      if (order.length === 3) await due("receipt", { type: "purchase_receipt" });
      return "done";
    }),
  );
  expect(order.join(" ")).toBe("a b c receipt - a b c - a c a a");
});

// Other engines do not say how many documents a query reads.
test.skipIf(process.env.MONGODB_URI)("the rows of a busy owner are not read for the turns of others", async () => {
  const row = () => newMail({ userId: "a", type: "announcement", title: "", body: "", link: null });
  for (let n = 0; n < 4; n += 1) await Mails.insertMany(Array.from({ length: 500 }, row), { lean: true });
  await due("b");
  const served: string[] = [];
  const work = dueRows(Mails, "nextAttemptAt", { turnsBy: "ownerId", perRun: 4 }, async ({ userId }) => {
    served.push(userId);
    return "more";
  });
  const commands = await commandsDuring(server, () => run(work));
  expect(served).toEqual(["a", "b", "a", "b"]);
  const { documents, scans, sorts } = await effortOf(server, commands);
  expect({ scans, sorts }).toEqual({ scans: [], sorts: [] });
  expect(documents).toBeLessThan(300);
});

test("an owner takes a turn again only after the others, also when runs are short", async () => {
  for (const owner of ["a", "b", "c"]) await dueMany(3, owner);
  const served: string[] = [];
  const work = dueRows(Mails, "nextAttemptAt", { turnsBy: "ownerId", perRun: 2 }, async (row) => {
    served.push(row.userId);
    await end(row);
    return "done";
  });
  for (let n = 0; n < 5; n += 1) await run(work);
  expect(served.slice(0, 6).sort()).toEqual(["a", "a", "b", "b", "c", "c"]);
  expect(served).toHaveLength(9);
});

test.each([
  ["that was read before", false],
  ["that its transaction reads", true],
])("a batch %s and that fails is tried again in halves, down to the bad row", async (_, isUnread) => {
  const mails = await dueMany(20);
  const bad = mails[7];
  const sizes: number[] = [];
  const write = async (rows: readonly Pick<Mail, "_id">[]) => {
    sizes.push(rows.length);
    if (rows.some(({ _id }) => _id.equals(bad?._id))) throw new Error("no");
    await Mails.updateMany({ _id: { $in: rows.map(({ _id }) => _id) } }, { $unset: { nextAttemptAt: 1 } });
    return rows.length;
  };
  const writeOldest = async () => {
    const rows = await Mails.find({}).sort({ nextAttemptAt: 1 }).limit(16).lean();
    return { count: await write(rows), isMore: true };
  };
  const options = { size: 16, pauses, done: "written", ...(isUnread && { writeOldest }) };
  const work = dueBatch(Mails, "nextAttemptAt", options, write);
  const { done, lines } = await run(work);
  expect(done).toBe("19 written");
  expect(lines).toMatchObject([{ eventId: "row_not_done", attempt: 1 }]);
  expect(await Mails.find({ nextAttemptAt: { $exists: true } }, { attempts: 1 }).lean()).toEqual([
    { _id: bad?._id, attempts: 1 },
  ]);
  expect(sizes.length).toBeLessThanOrEqual(16);
});

test("a batch that the database is too slow for becomes small, and only rows of one group are together", async () => {
  await dueMany(30, "a");
  await dueMany(10, "b");
  const groups: string[][] = [];
  const work = dueBatch(Mails, "nextAttemptAt", { size: 20, groupBy: "userId" }, async (rows) => {
    if (rows.length > 6) throw new Error("too slow");
    groups.push(rows.map(({ userId }) => userId));
    await Mails.updateMany({ _id: { $in: rows.map(({ _id }) => _id) } }, { $unset: { nextAttemptAt: 1 } });
    return rows.length;
  });
  expect((await run(work)).done).toBe("40 rows done");
  expect(groups.every((group) => new Set(group).size === 1)).toBe(true);
});

test("work is overdue from the date at which its first row is due, whatever moves the row's date afterwards", async () => {
  const { createdAt } = await due("a", { nextAttemptAt: new Date(Date.now() + 60_000), attempts: 1 });
  const failed = dueRows(Mails, "nextAttemptAt", { since: "createdAt" }, async () => "done");
  expect(await failed.backlog()).toEqual({ count: 0, since: createdAt });
  await Mails.deleteMany({});
  const { nextAttemptAt = new Date(0) } = await due();
  for (const afterMs of [10_000, 110_000]) {
    const isDue = afterMs < 100_000;
    const work = dueRows(Mails, "nextAttemptAt", { afterMs }, async () => "done");
    const since = new Date(nextAttemptAt.getTime() + afterMs);
    expect([await work.backlog(), since < new Date()]).toEqual([{ count: isDue ? 1 : 0, since }, isDue]);
  }
});

test("kinds of a job take turns", async () => {
  const order: string[] = [];
  const kind = (userId: string) =>
    dueRows(Mails, "nextAttemptAt", { filter: { userId }, perRun: 2, turnsBy: "ownerId" }, async () => {
      order.push(userId);
      return "more";
    });
  await dueMany(3, "a");
  await dueMany(3, "b");
  await run([kind("a"), kind("b")]);
  expect(order).toEqual(["a", "b", "a", "b"]);
});

test("two instances and a kill do each row once, where the work ends its date in one write", async () => {
  await dueMany(40);
  const done = new Map<string, number>();
  const killed = new AbortController();
  const work = (signal: AbortSignal) =>
    dueRows(Mails, "nextAttemptAt", { atOnce: 4 }, async ({ _id, nextAttemptAt }) => {
      if (done.size === 10) killed.abort();
      signal.throwIfAborted();
      const { modifiedCount } = await Mails.updateOne(
        { _id, nextAttemptAt: nextAttemptAt ?? null },
        { $unset: { nextAttemptAt: 1 } },
      );
      if (modifiedCount === 0) return "left";
      done.set(String(_id), (done.get(String(_id)) ?? 0) + 1);
      return "done";
    });
  const never = new AbortController().signal;
  await Promise.all([run(work(killed.signal), { signal: killed.signal }), run(work(never))]);
  expect([done.size, Math.max(...done.values())]).toEqual([40, 1]);
});
