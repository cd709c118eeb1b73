import { Types } from "mongoose";
import type { Course } from "../../src/models/courses/course.js";
import { insertCourse } from "../../src/services/courses/create-course.js";
import { renderLessons } from "../../src/services/lessons/render-lessons.js";
import { createRenderTurns } from "../../src/services/render-turns.js";
import type { TestServer } from "../server/test-server.js";
import { changeCatalog } from "./catalog.js";
import { buildChapters } from "./course-content.js";

/** Anything with a database. */
type WithDatabase = { readonly deps: Pick<TestServer["deps"], "db"> };

/** Stores a published course that costs 999 with 10 % discount by default. */
export async function buildCourse(server: WithDatabase, fields: Partial<Course> = {}): Promise<Course> {
  const { db } = server.deps;
  const turn = { educatorId: "user_educator", renderInTurn: createRenderTurns() };
  const lessons = await renderLessons(fields.courseContent ?? buildChapters(), turn);
  const lectures = lessons.courseContent.flatMap(({ chapterContent }) => chapterContent);
  const _id = fields._id ?? new Types.ObjectId();
  const course = {
    _id,
    courseTitle: "Practical TypeScript",
    courseDescription: "Types that **help**.",
    courseThumbnail: "https://img.example/course.png",
    coursePrice: 999,
    discount: 10,
    isPublished: true,
    educatorId: "user_educator",
    ...fields,
    ...lessons,
    totalLectures: lectures.length,
    totalDurationMinutes: lectures.reduce((sum, lecture) => sum + lecture.lectureDuration, 0),
  };
  await db.transaction((session) => insertCourse(db, session, course), { mutex: "catalog" });
  return db.Course.findById(_id).orFail().lean<Course>();
}

/** Enrolls a learner without a purchase. */
export async function enroll(server: TestServer, userId: string, courseId: Types.ObjectId): Promise<void> {
  const { Enrollment, Course: Courses } = server.deps.db;
  await changeCatalog(server.deps.db, async () => {
    await Enrollment.create({ userId, courseId, active: true, enrolledAt: new Date() });
    await Courses.updateOne({ _id: courseId }, { $inc: { totalEnrolledStudents: 1 } }, { timestamps: false });
  });
}
