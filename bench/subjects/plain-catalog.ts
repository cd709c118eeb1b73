import mongoose from "mongoose";
import { buildChapters } from "../../tests/factories/course-content.js";

export const learnerId = "user_bench";
const educators = Array.from({ length: 7 }, (_, i) => `user_educator_${i}`);

/**
 * Adds courses past the application, as plain documents that every version reads, and tells the catalog. The first call
 * also adds users and enrolls the learner in five of them. @returns the courses' ids.
 */
export async function fillCatalog(uri: string, count: number, from = 0): Promise<string[]> {
  const connection = await mongoose.createConnection(uri).asPromise();
  const { ObjectId } = mongoose.Types;
  const now = new Date();
  const facts = { createdAt: now, updatedAt: now };
  const figures = { totalRatings: 0, ratingSum: 0, totalEnrolledStudents: 0, revenueMinor: 0, completedPurchases: 0 };
  const courses = Array.from({ length: count }, (_, i) => ({
    ...{
      ...facts,
      ...figures,
      _id: new ObjectId(),
      isPublished: true,
      version: 1,
      discount: 10,
      coursePrice: 2499 + i,
    },
    ...{ courseTitle: `Course ${from + i}`, courseThumbnail: `https://img.example/${from + i}.png` },
    courseDescription: `What course ${from + i} teaches, in a paragraph or two. `.repeat(8),
    ...{ courseContent: buildChapters(3, 6), totalLectures: 18, totalDurationMinutes: 180, figuresChangedAt: now },
    educatorId: educators[i % educators.length],
  }));
  await connection.collection("courses").insertMany(courses);
  await connection.collection("catalogrevisions").updateMany({}, { $inc: { revision: 1 } });
  if (from === 0) {
    const users = [...educators, learnerId].map((_id) => ({ ...facts, _id, name: "Ada", email: "", imageUrl: "" }));
    await connection.collection<{ _id: string }>("users").insertMany(users);
    const active = { ...facts, userId: learnerId, active: true, enrolledAt: now, revokedAt: null, purchases: 1 };
    const enrolled = courses.slice(0, 5).map(({ _id }) => ({ ...active, courseId: _id }));
    await connection.collection("enrollments").insertMany(enrolled);
  }
  await connection.close();
  return courses.map(({ _id }) => String(_id));
}

/** Removes the database of a measurement. */
export async function dropDatabase(uri: string): Promise<void> {
  const connection = await mongoose.createConnection(uri).asPromise();
  await connection.dropDatabase();
  await connection.close();
}
