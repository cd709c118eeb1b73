import { Types } from "mongoose";
import { expect, test } from "vitest";
import { orderedList } from "../../src/db/ordered-list.js";
import { readBatches } from "../../src/lib/read-batches.js";
import { startTestServer } from "../server/test-server.js";

const { db } = (await startTestServer({ own: "removes all groups" })).deps;

/** Enrollments in one course at these seconds. @returns the ids in order. */
async function enrollAt(courseId: Types.ObjectId, seconds: readonly number[]): Promise<string[]> {
  const rows = seconds.map((second, n) => {
    const enrolledAt = new Date(second * 1_000);
    return { _id: new Types.ObjectId(), userId: `user_${courseId}_${n}`, courseId, active: true, enrolledAt };
  });
  await db.Enrollment.create(rows);
  const inOrder = rows.toSorted(
    (a, b) => Number(a.enrolledAt) - Number(b.enrolledAt) || (String(a._id) < String(b._id) ? -1 : 1),
  );
  return inOrder.map(({ _id }) => String(_id));
}

const enrollmentsOf = (courseId: Types.ObjectId) =>
  orderedList(db.Enrollment, { filter: { courseId }, sort: { enrolledAt: 1, _id: 1 } });

test.each([3, 10, 20, 21, 1000])("rows of few moments are all read once and in order, %i at a time", async (size) => {
  const courseId = new Types.ObjectId();
  const moments = [1, 2, 3, 19, 20, 21, 1, 40, 1, 1, 7].flatMap((count, at) => Array<number>(count).fill(at));
  const ids = await enrollAt(courseId, moments);
  const read = [];
  for await (const batch of readBatches(enrollmentsOf(courseId), size)) {
    expect(batch.length).toBeLessThanOrEqual(size);
    read.push(...batch.map(({ _id }) => String(_id)));
  }
  expect(read).toEqual(ids);
});

test("a row that comes in before the place that was reached is left out, and none is read twice", async () => {
  const courseId = new Types.ObjectId();
  const ids = await enrollAt(
    courseId,
    Array.from({ length: 60 }, (_, n) => n),
  );
  const read = [];
  for await (const batch of readBatches(enrollmentsOf(courseId), 20)) {
    read.push(...batch.map(({ _id }) => String(_id)));
    if (read.length > 20) continue;
    const early = { _id: new Types.ObjectId("0".repeat(24)), userId: `user_early_${courseId}`, courseId };
    await db.Enrollment.create({ ...early, active: true, enrolledAt: new Date(19_000) });
  }
  expect(read).toEqual(ids);
});

test("each field of the order has its own direction", async () => {
  const places = [true, false].flatMap((isOfficial) =>
    [3, 1].flatMap((memberCount) => ["a", "b"].map((name) => ({ isOfficial, memberCount, name }))),
  );
  const texts = { description: "x", icon: "x", createdBy: "user_x" };
  await db.CommunityGroup.deleteMany({});
  await db.CommunityGroup.insertMany(
    places.map((place, n) => ({ ...place, ...texts, name: `${place.name}${n}`, slug: `slug-${n}`, nameKey: `${n}` })),
  );
  const groups = orderedList(db.CommunityGroup, {
    filter: {},
    sort: { isOfficial: -1, memberCount: -1, name: 1 },
  });
  const read = [];
  for await (const batch of readBatches(groups, 3)) read.push(...batch.map(({ slug }) => slug));
  expect(read).toEqual(places.map((_, n) => `slug-${n}`));
});

test("a filter on a field of the order, and one with $or, hold on every page", async () => {
  const courseId = new Types.ObjectId();
  const ids = await enrollAt(courseId, [1, 2, 2, 2, 3, 4, 4, 5, 6]);
  const between = { enrolledAt: { $gte: new Date(2_000), $lt: new Date(6_000), $ne: new Date(3_000) } };
  const isAsked = { $or: [{ active: true }, { kind: "free" as const }] };
  for (const [direction, wanted] of [
    [1, [...ids.slice(1, 4), ...ids.slice(5, 8)]],
    [-1, [...ids.slice(1, 4), ...ids.slice(5, 8)].reverse()],
  ] as const) {
    const sort = { enrolledAt: direction, _id: direction };
    const read = [];
    for await (const batch of readBatches(
      orderedList(db.Enrollment, { filter: { courseId, ...between, ...isAsked }, sort }),
      1,
    ))
      read.push(...batch.map(({ _id }) => String(_id)));
    expect(read).toEqual(wanted);
  }
});
