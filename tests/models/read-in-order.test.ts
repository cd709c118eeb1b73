import { mongo, Types } from "mongoose";
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

interface Watched {
  /** Is called after each batch with the rows so far. */
  readonly between?: (rows: Row[]) => Promise<void>;
  /** Which queries the database does not end in time. */
  readonly isLate?: (query: number, asked: InOrder) => boolean;
}

/** Reads them all. */
async function readAll(courseId: Types.ObjectId, size: number, { between, isLate }: Watched = {}) {
  const rows: Row[] = [];
  let queries = 0;
  const find = async (asked: InOrder): Promise<Row[]> => {
    queries += 1;
    expect(asked.limit).toBeLessThanOrEqual(size);
    if (isLate?.(queries, asked)) throw new mongo.MongoServerError({ message: "its time was over", code: 50 });
    return findInOrder<Enrollment, Row>(db.Enrollment, asked);
  };
  for await (const batch of readInOrder<Enrollment, Row>(db.Enrollment, { filter: { courseId }, sort, size, find })) {
    rows.push(...batch);
    await between?.(rows);
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
  const between = async (rows: Row[]) => {
    const row = { _id: early, userId: `user_early_${courseId}`, courseId, active: true };
    const [last] = rows.slice(-1);
    if (last && rows.length === 20) await db.Enrollment.create({ ...row, enrolledAt: last.enrolledAt });
  };
  const { ids } = await readAll(courseId, 20, { between });
  expect(ids).toEqual(before);
});

test("after a query that was late all rows are read, also when as many as are then asked for are of one moment", async () => {
  const courseId = new Types.ObjectId();
  const moments = [...Array.from({ length: 225 }, (_, n) => n), ...Array<number>(40).fill(300), 301, 302, 303];
  const ids = await enrollAt(courseId, moments);
  // A batch of 250 ends with 25 rows of one moment; the next one is asked for 250, then 50, then 20 rows.
  const isLate = (query: number, asked: InOrder) => query > 1 && asked.limit > 20;
  expect((await readAll(courseId, 250, { isLate })).ids).toEqual(ids);
});
