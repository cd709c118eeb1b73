import { readFileSync } from "node:fs";
import { Types } from "mongoose";
import { beforeEach, expect, test } from "vitest";
import type { MigrationPlan } from "../../src/db/migrations/migration-plan.js";
import { migrations } from "../../src/db/migrations/migrations.js";
import { pendingMigrations, runMigrations } from "../../src/db/migrations/run-migrations.js";
import { buildCourse } from "../factories/courses.js";
import { deliver, paymentEvent } from "../factories/payment-events.js";
import { openPurchase, paymentId } from "../factories/purchases.js";
import { runCommand } from "../server/compiled.js";
import { startTestServer } from "../server/test-server.js";

const server = await startTestServer();
const { db } = server.deps;

beforeEach(async () => {
  await db.Migration.deleteMany({});
});

/** Ten documents in steps of four; `fails` throws in place of that step. */
function counting(name: string, log: string[], fails = Number.POSITIVE_INFINITY): MigrationPlan {
  let steps = 0;
  return {
    name,
    about: "counts",
    remaining: async () => 10,
    async step(_models, place) {
      if (++steps === fails) throw new Error("interrupted");
      const from = Number(place ?? 0);
      const to = Math.min(10, from + 4);
      log.push(`${name} ${from}-${to}`);
      return { changed: to - from, next: to === 10 ? null : to };
    },
  };
}

test("each runs once, in order, and is remembered with how much it changed", async () => {
  const log: string[] = [];
  const plans = [counting("0001-a", log), counting("0002-b", log)];
  expect(await pendingMigrations(db, plans)).toEqual([
    { name: "0001-a", about: "counts", remaining: 10 },
    { name: "0002-b", about: "counts", remaining: 10 },
  ]);
  expect(log).toEqual([]);
  expect(await runMigrations(db, plans)).toEqual(["0001-a", "0002-b"]);
  const steps = ["0-4", "4-8", "8-10"];
  expect(log).toEqual([...steps.map((step) => `0001-a ${step}`), ...steps.map((step) => `0002-b ${step}`)]);
  expect(await runMigrations(db, plans)).toEqual([]);
  expect(await pendingMigrations(db, plans)).toEqual([]);
  expect(await db.Migration.findById("0002-b").lean()).toMatchObject({ changed: 10, finishedAt: expect.any(Date) });
});

test("one that was interrupted goes on where it was, and what comes after it has waited", async () => {
  const log: string[] = [];
  const interrupted = [counting("0001-a", log, 3), counting("0002-b", log)];
  await expect(runMigrations(db, interrupted)).rejects.toThrow("interrupted");
  expect(log).toEqual(["0001-a 0-4", "0001-a 4-8"]);
  log.length = 0;
  expect(await runMigrations(db, [counting("0001-a", log), counting("0002-b", log)])).toEqual(["0001-a", "0002-b"]);
  expect(log[0]).toBe("0001-a 8-10");
  expect(await db.Migration.findById("0001-a").lean()).toMatchObject({ changed: 10 });
});

test("two processes at once do it once", async () => {
  const log: string[] = [];
  const results = await Promise.all([1, 2, 3].map(() => runMigrations(db, [counting("0001-a", log)])));
  expect(log).toEqual(["0001-a 0-4", "0001-a 4-8", "0001-a 8-10"]);
  expect(results.flatMap((done) => done ?? [])).toEqual(["0001-a"]);
});

test("names are numbered and the table of the operator lists them", () => {
  const names = migrations.map(({ name }) => name);
  expect(names.map((name) => name.slice(0, 5))).toEqual(names.map((_, n) => `${String(n + 1).padStart(4, "0")}-`));
  const table = readFileSync("docs/operations.md", "utf8");
  expect([...table.matchAll(/^\| `(\d{4}-[\w-]+)`/gm)].map(([, name]) => name)).toEqual(names);
});

async function command(...options: string[]): Promise<string> {
  const variables = { ...server.emulators.variables, MONGODB_URI: server.databaseUri };
  return (await runCommand("src/cli/migrate.ts", options, variables)).stdout;
}

test("enrollments without the number of purchases get it, while learners buy and the version before runs", async () => {
  const rows = Array.from({ length: 1_234 }, (_, n) => ({
    ...{ userId: `user_old_${n}`, courseId: new Types.ObjectId(), active: n % 2 === 0, enrolledAt: new Date() },
  }));
  await db.Enrollment.collection.insertMany(rows as never[]);
  expect(await command("--dry-run")).toBe(
    "0001-fill-purchase-counts: enrollments hold the number of their completed purchases; 1234 documents\n",
  );
  const [ran] = await Promise.all([command(), buyMeanwhile()]);
  expect(ran).toBe("0001-fill-purchase-counts: done\n");
  expect(await db.Enrollment.countDocuments({ userId: /^user_old/, active: true, purchases: 1 })).toBe(617);
  expect(await db.Enrollment.countDocuments({ userId: /^user_old/, active: false, purchases: 0 })).toBe(617);
  expect(await command("--dry-run")).toBe("nothing to do\n");
});

async function buyMeanwhile(): Promise<void> {
  for (let n = 0; n < 5; n += 1) {
    const learner = await server.signedIn();
    const course = await buildCourse(server);
    const bought = await openPurchase(server, learner, course);
    await deliver(server, paymentEvent("payment.captured", { ...bought, id: paymentId(), currency: "INR" }));
    const { purchases } = await db.Enrollment.findOne({ userId: learner.id }).orFail().lean();
    expect(purchases).toBe(1);
  }
}
