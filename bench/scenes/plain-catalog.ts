import { type Connection, Types } from "mongoose";
import { buildChapters } from "../../tests/factories/course-content.js";

export const learnerId = "user_bench";
export const educatorIds: readonly string[] = Array.from({ length: 7 }, (_, i) => `user_educator_${i}`);
/** Chapters of a course, lectures of a chapter. */
export const outline = [3, 6] as const;

/**
 * Adds courses past the application, as plain documents, and tells the catalog. The first call
 * also adds users, and enrolls the learner in five of the courses. @returns the courses' ids.
 */
export async function fillCatalog(connection: Connection, count: number, from = 0): Promise<string[]> {
  const now = new Date();
  const facts = { createdAt: now, updatedAt: now };
  const figures = { totalRatings: 0, ratingSum: 0, totalEnrolledStudents: 0, revenueMinor: 0 };
  const price = { coursePrice: 2_000, discount: 10, completedPurchases: 0 };
  const courses = Array.from({ length: count }, (_, i) => ({
    ...{ ...facts, ...figures, ...price, _id: new Types.ObjectId(), isPublished: true, version: 1 },
    figuresChangedAt: new Date(0), // for an older build beside this one
    ...{ courseTitle: `Course ${from + i}`, courseThumbnail: `https://img.example/${from + i}.png` },
    courseDescription: `What course ${from + i} teaches, in a paragraph or two. `.repeat(8),
    ...{ courseContent: buildChapters(...outline), totalLectures: 18, totalDurationMinutes: 180 },
    educatorId: educatorIds[i % educatorIds.length],
  }));
  for (let at = 0; at < count; at += 500) {
    await connection.collection("courses").insertMany(courses.slice(at, at + 500));
  }
  const revisions = connection.collection<{ _id: string }>("catalogrevisions");
  await revisions.updateOne({ _id: "catalog" }, { $set: { token: new Types.ObjectId() } }, { upsert: true });
  const ids = courses.map(({ _id }) => String(_id));
  if (from === 0) {
    await addUsers(connection, [...educatorIds, learnerId]);
    await enrollIn(connection, [learnerId], ids.slice(0, 5));
  }
  return ids;
}

/** The price of these courses in the minor unit, when the discount is taken off. */
export const priceMinor = 180_000;

export async function addUsers(connection: Connection, ids: readonly string[]): Promise<void> {
  const now = new Date();
  const facts = { providerUpdatedAt: 1, createdAt: now, updatedAt: now };
  const users = ids.map((_id) => ({ ...facts, _id, name: "Ada", email: "", imageUrl: "" }));
  await connection.collection<{ _id: string }>("users").insertMany(users);
}

/** Enrolls each of the users in each of the courses. */
export async function enrollIn(
  connection: Connection,
  userIds: readonly string[],
  courseIds: readonly string[],
): Promise<void> {
  const now = new Date();
  const enrollment = { active: true, enrolledAt: now, purchasedAt: now, revokedAt: null, purchases: 1 };
  const facts = { ...enrollment, createdAt: now, updatedAt: now };
  const rows = userIds.flatMap((userId) =>
    courseIds.map((courseId) => ({ ...facts, userId, courseId: new Types.ObjectId(courseId) })),
  );
  for (let at = 0; at < rows.length; at += 5_000) {
    await connection.collection("enrollments").insertMany(rows.slice(at, at + 5_000));
  }
}
