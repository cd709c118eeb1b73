import { Types } from "mongoose";
import type { Course } from "../../../src/models/courses/course.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse } from "../../factories/courses.js";
import { buildPath, getPath } from "../../factories/paths.js";
import type { TestServer } from "../../server/test-server.js";

type Fields = Partial<Parameters<typeof buildPath>[1]> & { readonly count?: number; readonly chapters?: number };

/** A learner who holds a path of some courses by a free purchase. A chapter has one lecture, the first is a free preview. */
export async function pathRoom(server: TestServer, { count = 2, chapters = 1, ...fields }: Fields = {}) {
  const { db } = server.deps;
  const [educator, learner] = [await server.signedIn("educator"), await server.signedIn("student", "Asha Rao")];
  const courses: Course[] = [];
  for (let n = 1; n <= count; n += 1) {
    const content = { courseTitle: `Course ${n}`, courseContent: buildChapters(chapters, 1) };
    courses.push(await buildCourse(server, { educatorId: educator.id, ...content }));
  }
  const courseIds = courses.map(({ _id }) => _id);
  const [first = new Types.ObjectId(), second = first] = courseIds;
  const path = await buildPath(server, { educatorId: educator.id, courseIds, price: 0, ...fields });
  await getPath(server, learner, path);
  const own = { userId: learner.id, pathId: path._id };
  return {
    ...{ educator, learner, courses, courseIds, first, second, path, own },
    complete: (n: number, chapter = 1) => {
      const lecture = { courseId: String(courseIds[n]), lectureId: `ch${chapter}-l1` };
      return server.post("/api/user/update-course-progress", lecture, learner.token);
    },
    reset: (n: number) =>
      server.post(
        `/api/educator/courses/${courseIds[n]}/learners/${learner.id}/reset`,
        { reason: "again" },
        educator.token,
      ),
    player: (n: number) => server.get(`/api/user/enrolled-courses/${courseIds[n]}`, learner.token),
    held: () => db.PathEnrollment.findOne(own).orFail().lean(),
    completions: () => db.Event.countDocuments({ type: "path.completed", "data.userId": learner.id }),
    /** Adds a completed purchase of the path with other terms. */
    async holdAgain(terms: object) {
      const { _id, ...purchase } = await db.Purchase.findOne(own).orFail().lean();
      await db.Purchase.create({ ...purchase, terms: { ...purchase.terms, ...terms }, completedAt: new Date() });
    },
  };
}
