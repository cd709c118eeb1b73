import { afterAll, expect, test } from "vitest";
import { courseForm } from "../../factories/course-forms.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { storageOf } from "../../server/emulators.js";
import { startFailingDatabase } from "../../server/failing-database.js";
import { startTestServer } from "../../server/test-server.js";

/* What a request does when the database refuses one of its commands, or leaves open whether it took effect. */

const { uri, during, close } = await startFailingDatabase();
const server = await startTestServer({ databaseServer: uri });
afterAll(async () => {
  await server.close();
  await close();
});

const [duplicateKey, primaryAway, interrupted] = [11000, 91, 11601];

test("of two first progress calls the one that the unique index refuses is not lost", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  await enroll(server, learner.id, course._id);
  const lectureId = course.courseContent[0]?.chapterContent[0]?.lectureId;
  const body = { courseId: String(course._id), lectureId };
  const refused = { failCommands: ["findAndModify"], errorCode: duplicateKey };
  const progress = () => server.post("/api/user/update-course-progress", body, learner.token);
  expect(await during(refused, 1, progress)).toMatchObject({ status: 200, body: { success: true } });
  const stored = await server.deps.db.CourseProgress.findOne({ userId: learner.id }).lean();
  expect(stored?.lectureCompleted).toEqual([lectureId]);
});

test("the thumbnail of a course that may be stored after all stays", async () => {
  const educator = await server.signedIn("educator");
  const before = storageOf(server.emulators).assets().length;
  const unknown = { failCommands: ["commitTransaction"], errorCode: primaryAway };
  const add = () => server.call("POST", "/api/educator/add-course", { token: educator.token, body: courseForm() });
  expect(await during(unknown, Number.POSITIVE_INFINITY, add)).toMatchObject({ status: 500 });
  // A removal would be seen by the storage before it answers to the next upload.
  expect(await add()).toMatchObject({ status: 200 });
  expect(storageOf(server.emulators).assets()).toHaveLength(before + 2);
});

test("a list that breaks off never looks whole", async () => {
  const admin = await server.signedIn("admin");
  const users = Array.from({ length: 3_000 }, (_, n) => ({
    _id: `user_many${n}`,
    name: `${n}`,
    email: `${n}@x.example`,
  }));
  await server.deps.db.User.insertMany(users);
  const headers = { authorization: `Bearer ${admin.token}` };
  const outcome = async (): Promise<string> => {
    const answer = await fetch(`${server.url}/api/admin/users`, { headers });
    if (answer.status === 500) return "refused";
    const text = await answer.text().catch(() => undefined);
    if (text === undefined) return "broken off";
    return text.endsWith("}") ? "whole" : "looks whole";
  };
  const outcomes = new Set<string>();
  for (let skip = 2; !outcomes.has("whole"); skip += 5) {
    outcomes.add(await during({ failCommands: ["find"], errorCode: interrupted }, { skip }, outcome));
  }
  expect([...outcomes]).toEqual(["refused", "broken off", "whole"]);
});
