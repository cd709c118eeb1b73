import type { Types } from "mongoose";
import { counterDifferences } from "../../../ops/recount/counter-differences.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { aiOf } from "../../server/emulators.js";
import type { SignedIn, TestServer } from "../../server/test-server.js";

/** A course with two chapters of two lectures and a quiz, its educator, and an administrator. */
export async function classroom(server: TestServer) {
  const [educator, admin] = [await server.signedIn("educator"), await server.signedIn("admin")];
  const course = await buildCourse(server, { educatorId: educator.id, courseContent: buildChapters(2, 2) });
  const courseId = String(course._id);
  await server.deps.db.Quiz.create({
    ...{ courseId: course._id, chapterId: "ch1", chapterTitle: "Chapter 1", courseTitle: "x", version: 1 },
    questions: Array.from({ length: 4 }, (_q, n) => ({
      ...{ question: `Question ${n}?`, options: ["a", "b", "c", "d"], correctIndex: 0, explanation: "" },
    })),
  });
  const learner = async (name = "Ada Learner", email = `${crypto.randomUUID()}@mail.example`) => {
    const user = await server.signedIn();
    await server.deps.db.User.updateOne({ _id: user.id }, { name, email }, { upsert: true });
    await enroll(server, user.id, course._id);
    return user;
  };
  const path = (rest: string, role: "educator" | "admin" = "educator") => `/api/${role}/courses/${courseId}/${rest}`;
  const get = (rest: string) => server.get(path(rest), educator.token);
  return { educator, admin, course, courseId, learner, path, get };
}

export const complete = (server: TestServer, { token }: SignedIn, courseId: string, lectureId: string) =>
  server.post("/api/user/update-course-progress", { courseId, lectureId }, token);

/** Answers the quiz of the first chapter with so many right answers out of four. */
export async function attempt(server: TestServer, { token }: SignedIn, courseId: string, right: number) {
  aiOf(server).faults.add({ kind: "error" });
  const answers = Array.from({ length: 4 }, (_a, i) => (i < right ? 0 : 1));
  return server.post("/api/quiz/submit", { courseId, chapterId: "ch1", answers }, token);
}

/** Moves a learner's last activity, and all quiz attempts, so many days into the past. */
export async function letDaysPass(server: TestServer, userId: string, courseId: Types.ObjectId, days: number) {
  const { db } = server.deps;
  const ago = new Date(Date.now() - days * 24 * 60 * 60_000);
  await db.Enrollment.updateOne({ userId, courseId }, { lastActiveAt: ago });
  await db.QuizResult.updateMany(
    { userId, courseId },
    { createdAt: ago },
    { timestamps: false, overwriteImmutable: true },
  );
}

/** Lists the wrong figures of learners and lectures. */
export async function wrongFigures({ deps: { db } }: TestServer): Promise<string[]> {
  const wrong: string[] = [];
  for await (const { field, id } of counterDifferences(db, {
    fix: false,
    models: ["Enrollment", "LectureCompletions"],
  })) {
    // The factory enrolls without a purchase.
    if (!["purchases", "expiresAt", "boughtUntil"].includes(field)) wrong.push(`${field} of ${id}`);
  }
  return wrong;
}
