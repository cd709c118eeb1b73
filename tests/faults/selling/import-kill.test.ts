import { expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "../../../src/db/connection.js";
import { createDb } from "../../../src/db/db.js";
import { expectRecount } from "../../assertions/recount.js";
import { buildCourse } from "../../factories/courses.js";
import { csvForm } from "../../factories/csv-form.js";
import { startServerProcess } from "../../server/server-process.js";
import { startTestServer } from "../../server/test-server.js";

vi.setConfig({ testTimeout: 120_000 });

test("an import whose server process is killed is finished by the next one, each row once", async () => {
  const server = await startTestServer({ own: "recounts all rows" });
  // It may wait: the database is busy with the import.
  const db = createDb(await openDatabase(server.databaseUri, { patient: true }));
  onTestFinished(() => db.close());
  const admin = await server.signedIn("admin");
  const course = await buildCourse(server);
  const rows = 1_500;
  const users = Array.from({ length: rows / 2 }, (_, i) => ({
    _id: `user_row${i}`,
    verifiedEmail: `row${i}@example.com`,
  }));
  // In pieces: one command has 2.5 s.
  for (let from = 0; from < users.length; from += 250) await db.User.insertMany(users.slice(from, from + 250));
  const lines = Array.from({ length: rows }, (_, i) => `row${i}@example.com,${course._id},`);
  const victim = await startServerProcess(server);
  const sent = await fetch(`${victim.url}/api/admin/enrollments/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${admin.token}` },
    body: csvForm(`email,courseId,expiresAt\n${lines.join("\n")}\n`),
  });
  const { importId } = (await sent.json()) as { importId: string };
  const stored = () => db.EnrollmentImport.findById(importId).orFail().lean();
  await expect.poll(async () => (await stored()).lastRow, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
  await victim.kill();
  const half = await stored();
  expect(half).toMatchObject({ state: "running", failed: 0 });
  expect(half.granted + half.waiting).toBe(half.lastRow - 1);
  expect(await db.Grant.countDocuments()).toBe(half.granted + half.waiting);
  expect(half.lastRow).toBeLessThan(rows);

  const next = await startServerProcess(server);
  onTestFinished(() => next.kill());
  await expect.poll(async () => (await stored()).state, { timeout: 90_000, interval: 200 }).toBe("done");
  expect(await stored()).toMatchObject({ total: rows, granted: rows / 2, waiting: rows / 2, skipped: 0, failed: 0 });
  expect(await db.Grant.countDocuments()).toBe(rows);
  expect(await db.AuditEntry.countDocuments({ action: "enrollment.grant" })).toBe(rows);
  await expectRecount({ deps: { db } });
});
