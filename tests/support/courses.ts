import type { Types } from "mongoose";
import { changeCatalog } from "../../src/commands/catalog-revision.js";
import type { Course } from "../../src/models/course.js";
import { buildChapters } from "./course-content.js";
import type { TestServer } from "./server.js";

export { buildChapters } from "./course-content.js";

/** Stores a published course that costs 999 with 10 % discount unless told otherwise. */
export async function buildCourse(server: TestServer, fields: Partial<Course> = {}): Promise<Course> {
  const courseContent = fields.courseContent ?? buildChapters();
  const lectures = courseContent.flatMap(({ chapterContent }) => chapterContent);
  const { Course: Courses } = server.deps.models;
  const created = await changeCatalog(server.deps.models, () =>
    Courses.create({
      courseTitle: "Practical TypeScript",
      courseDescription: "Types that **help**.",
      courseThumbnail: "https://img.example/course.png",
      coursePrice: 999,
      discount: 10,
      isPublished: true,
      educatorId: "user_educator",
      ...fields,
      courseContent,
      totalLectures: lectures.length,
      totalDurationMinutes: lectures.reduce((sum, lecture) => sum + lecture.lectureDuration, 0),
    }),
  );
  return created.toObject<Course>();
}

/** Gives a learner an active seat without a purchase, where how it was bought does not matter. */
export async function enroll(server: TestServer, userId: string, courseId: Types.ObjectId): Promise<void> {
  const { Enrollment, Course: Courses } = server.deps.models;
  await changeCatalog(server.deps.models, async () => {
    await Enrollment.create({ userId, courseId, active: true, enrolledAt: new Date(), change: 1, countedChange: 1 });
    await Courses.updateOne({ _id: courseId }, { $inc: { totalEnrolledStudents: 1 } }, { timestamps: false });
  });
}
