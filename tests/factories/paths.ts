import { randomUUID } from "node:crypto";
import { Types } from "mongoose";
import type { Course } from "../../src/models/courses/course.js";
import type { Path } from "../../src/models/paths/path.js";
import type { TestServer } from "../server/test-server.js";

/** Stores a path of some courses, in order by default. */
export async function buildPath(
  server: TestServer,
  courses: readonly Pick<Course, "_id" | "educatorId">[],
  fields: Partial<Path> = {},
): Promise<Path> {
  const [path] = await server.deps.db.Path.create([
    {
      educatorId: courses[0]?.educatorId ?? "user_educator",
      title: "Backend engineer",
      subtitle: null,
      description: "From **types** to servers.",
      courseIds: courses.map(({ _id }) => _id),
      inOrder: true,
      price: 999,
      isPublished: true,
      slugs: [`path-${randomUUID()}`],
      ...fields,
    },
  ]);
  return path?.toObject() as Path;
}

/** Stores what a completed purchase of a path leaves behind. */
export async function holdPath(
  server: TestServer,
  userId: string,
  path: Path,
  { accessDays = null, courseIds = path.courseIds }: { accessDays?: number | null; courseIds?: Types.ObjectId[] } = {},
): Promise<void> {
  const { db } = server.deps;
  const at = new Date();
  const courses = courseIds.map((courseId) => ({ courseId, accessDays }));
  const terms = { courseTitle: path.title, coursePrice: 999, discount: 0, accessDays: null, inOrder: path.inOrder };
  const _id = new Types.ObjectId();
  await db.Purchase.collection.insertOne({
    ...{ _id, userId, courseId: null, pathId: path._id, amount: 999, currency: "INR", status: "completed" },
    ...{ terms: { ...terms, courses }, completedAt: at, createdAt: at, updatedAt: at, reviewReason: null },
    ...{ providerOrderId: `order_${_id}`, providerPaymentId: `pay_${_id}` },
  } as never);
  const held = { active: true, kind: "purchase" as const, purchases: 1, grants: 0, expiresAt: null };
  const expiresAt = accessDays === null ? null : new Date(at.getTime() + accessDays * 24 * 60 * 60_000);
  const hold = { ...held, expiresAt, boughtUntil: expiresAt, enrolledAt: at, revokedAt: null };
  await db.PathEnrollment.updateOne({ userId, pathId: path._id }, { ...hold, completedAt: null }, { upsert: true });
  for (const courseId of courseIds) {
    const enrollment = { ...hold, viaPath: true as const, purchasedAt: at };
    await db.Enrollment.updateOne({ userId, courseId }, enrollment, { upsert: true });
  }
}
