import { Types } from "mongoose";
import { expect, test } from "vitest";
import { readInOrder } from "../../src/db/read-in-order.js";
import type { Enrollment } from "../../src/models/enrollments/enrollment.js";
import { findInOrder, type InOrder } from "../../src/models/find-in-order.js";
import { startTestServer } from "../server/test-server.js";

const { db } = (await startTestServer()).deps;

const sort = { enrolledAt: 1, _id: 1 } as const;
type Row = Pick<Enrollment, "_id" | "enrolledAt">;

/** Enrollments in one course at these seconds. @returns the ids in order. */
async function enrollAt(courseId: Types.ObjectId, seconds: readonly number[]): Promise<string[]> {
  const rows = seconds.map((second, n) => ({
    ...{ _id: new Types.ObjectId(), userId: `user_${courseId}_${n}`, courseId, active: true },
    enrolledAt: new Date(second * 1_000),
  }));
  await db.Enrollment.create(rows);
  const inOrder = rows.toSorted(
    (a, b) => Number(a.enrolledAt) - Number(b.enrolledAt) || (String(a._id) < String(b._id) ? -1 : 1),
  );
  return inOrder.map(({ _id }) => String(_id));
}

/** Reads them all. @param between is called after each batch with the rows so far. */
async function readAll(courseId: Types.ObjectId, size: number, between = async (_rows: Row[]) => {}) {
  const rows: Row[] = [];
  let queries = 0;
  const find = (asked: InOrder): Promise<Row[]> => {
    queries += 1;
    expect(asked.limit).toBeLessThanOrEqual(size);
    return findInOrder<Enrollment, Row>(db.Enrollment, asked);
  };
  for await (const batch of readInOrder<Enrollment, Row>(db.Enrollment, { filter: { courseId }, sort, size, find })) {
    rows.push(...batch);
    await between(rows);
  }
  return { ids: rows.map(({ _id }) => String(_id)), queries };
}

test("rows of different moments cost one query a batch", async () => {
  const courseId = new Types.ObjectId();
  const ids = await enrollAt(
    courseId,
    Array.from({ length: 100 }, (_, n) => n),
  );
  expect(await readAll(courseId, 20)).toEqual({ ids, queries: 6 });
});

test.each([3, 10, 20, 21, 40])("rows of few moments are all read once and in order, %i at a time", async (size) => {
  const courseId = new Types.ObjectId();
  const moments = [1, 2, 3, 19, 20, 21, 1, 40, 1, 1, 7].flatMap((count, at) => Array<number>(count).fill(at));
  const ids = await enrollAt(courseId, moments);
  expect((await readAll(courseId, size)).ids).toEqual(ids);
});

test("a row that comes in before the place that was reached is left out, and none is read twice", async () => {
  const courseId = new Types.ObjectId();
  const before = await enrollAt(
    courseId,
    Array.from({ length: 60 }, (_, n) => n),
  );
  const early = new Types.ObjectId("0".repeat(24));
  const { ids } = await readAll(courseId, 20, async (rows) => {
    const row = { _id: early, userId: `user_early_${courseId}`, courseId, active: true };
    const [last] = rows.slice(-1);
    if (last && rows.length === 20) await db.Enrollment.create({ ...row, enrolledAt: last.enrolledAt });
  });
  expect(ids).toEqual(before);
});
