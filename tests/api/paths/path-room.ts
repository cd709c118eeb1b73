import type { Course } from "../../../src/models/courses/course.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse } from "../../factories/courses.js";
import { buildPath, getPath } from "../../factories/paths.js";
import type { TestServer } from "../../server/test-server.js";

/** A learner who holds a path of some courses of one lecture each, by a free purchase. */
export async function pathRoom(server: TestServer, count = 2, fields: Partial<Parameters<typeof buildPath>[1]> = {}) {
  const { db } = server.deps;
  const [educator, learner] = [await server.signedIn("educator"), await server.signedIn("student", "Asha Rao")];
  const courses: Course[] = [];
  for (let n = 1; n <= count; n += 1) {
    const content = { courseTitle: `Course ${n}`, courseContent: buildChapters(1, 1) };
    courses.push(await buildCourse(server, { educatorId: educator.id, ...content }));
  }
  const courseIds = courses.map(({ _id }) => _id);
  const path = await buildPath(server, { educatorId: educator.id, courseIds, price: 0, ...fields });
  await getPath(server, learner, path);
  const own = { userId: learner.id, pathId: path._id };
  return {
    ...{ educator, learner, courses, courseIds, path, own },
    complete: (n: number, lectureId = "ch1-l1") =>
      server.post("/api/user/update-course-progress", { courseId: String(courseIds[n]), lectureId }, learner.token),
    held: () => db.PathEnrollment.findOne(own).orFail().lean(),
    completions: () => db.Event.countDocuments({ type: "path.completed", "data.userId": learner.id }),
    /** Adds a completed purchase of the path with other terms. */
    async holdAgain(terms: object) {
      const { _id, ...purchase } = await db.Purchase.findOne(own).orFail().lean();
      await db.Purchase.create({ ...purchase, terms: { ...purchase.terms, ...terms }, completedAt: new Date() });
    },
  };
}
