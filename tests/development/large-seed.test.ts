import { expect, test } from "vitest";
import { loadLarge } from "../../development/demo/load-large.js";
import { expectRecount } from "../assertions/recount.js";
import { startTestServer } from "../server/test-server.js";

const size = { courses: 20, learners: 150 };

/** Reads the loaded rows without the dates of the load itself. */
async function contents(server: Awaited<ReturnType<typeof startTestServer>>) {
  const { Course, Purchase, Enrollment, CourseDailySales } = server.deps.db;
  const courses = await Course.find({}, { courseThumbnail: 0, courseContent: 0, __v: 0 }).sort({ _id: 1 }).lean();
  const purchases = await Purchase.find({}, { __v: 0 }).sort({ _id: 1 }).lean();
  const enrollments = await Enrollment.find({}, { __v: 0 }).sort({ _id: 1 }).lean();
  const days = await CourseDailySales.find({}, { _id: 0 }).sort({ courseId: 1, day: 1 }).lean();
  return JSON.parse(JSON.stringify({ courses, purchases, enrollments, days }));
}

test("the large seed is the same each time, and every figure is the sum of its purchases", {
  timeout: 120_000,
}, async () => {
  const server = await startTestServer({ own: "recounts all rows" });
  const shares: number[] = [];
  await loadLarge(server.deps, (share) => shares.push(share), size);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
  const loaded = await contents(server);
  expect(loaded.courses).toHaveLength(size.courses);
  expect(loaded.purchases).toHaveLength(2 * size.learners);
  expect(await server.deps.db.User.countDocuments()).toBe(size.learners);
  expect((await server.get("/api/course/all")).body.courses).toHaveLength(size.courses);
  await expectRecount(server);

  await loadLarge(server.deps, () => undefined, size);
  expect(await contents(server)).toEqual(loaded);
  const other = await startTestServer({ own: "recounts all rows" });
  await loadLarge(other.deps, () => undefined, size);
  expect(await contents(other)).toEqual(loaded);
});
