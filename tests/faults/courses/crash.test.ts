import { expect, test } from "vitest";
import { buildChapters } from "../../factories/course-content.js";
import { courseData, courseForm } from "../../factories/course-forms.js";
import { buildCourse } from "../../factories/courses.js";
import { dieAtEveryWrite, requestBy } from "../../server/dying-instance.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

/* An instance dies before any write of an edit, or of a new course. What is left is all of it or nothing. */

const server = await startTestServer({ own: "instances die beside it" });
const educator = await server.signedIn("educator");
const { Course, Account } = server.deps.db;

const add = async ({ token }: SignedIn): Promise<string> =>
  (await server.post("/api/educator/add-course", courseForm(), token)).body.courseId;
const listed = async (courseId: string) =>
  (await server.get("/api/course/all")).body.courses.find(({ _id }: { _id: string }) => _id === courseId);

test("an edit is stored with its place in the catalog, and a repeat works", async () => {
  await dieAtEveryWrite(server, async () => {
    const courseId = await add(educator);
    const path = `/api/educator/courses/${courseId}`;
    await listed(courseId);
    return {
      request: requestBy(educator, "PATCH", path, { courseTitle: "Changed", version: 1 }),
      async check(died) {
        const stored = died ? { courseTitle: "Graph theory", version: 1 } : { courseTitle: "Changed", version: 2 };
        expect((await server.get(path, educator.token)).body.course).toMatchObject(stored);
        expect((await listed(courseId)).courseTitle).toBe(stored.courseTitle);
        const repeated = { courseTitle: "Repeated", version: stored.version };
        expect(await server.patch(path, repeated, educator.token)).toMatchObject({ status: 200 });
        expect((await listed(courseId)).courseTitle).toBe("Repeated");
      },
    };
  });
}, 60_000);

test("an edit that removes lectures is stored with the work that it leaves to the job", async () => {
  await dieAtEveryWrite(server, async () => {
    const course = await buildCourse(server, { educatorId: educator.id, courseContent: buildChapters(1, 3) });
    const body = { courseContent: buildChapters(1, 2), version: course.version };
    return {
      request: requestBy(educator, "PATCH", `/api/educator/courses/${course._id}`, body),
      async check() {
        const { version, completionsDueAt } = await Course.findById(course._id).orFail().lean();
        expect(completionsDueAt !== undefined).toBe(version > course.version);
      },
    };
  });
}, 60_000);

test("a new course is in its educator's list and in the catalog, or nowhere", async () => {
  await dieAtEveryWrite(server, async () => {
    const maker = await server.signedIn("educator");
    const form = new Response(courseForm(courseData()));
    const headers = { "content-type": form.headers.get("content-type") ?? "" };
    const body = Buffer.from(await form.arrayBuffer());
    return {
      request: { ...requestBy(maker, "POST", "/api/educator/add-course", undefined, headers), body },
      async check(died) {
        const own = async () => (await server.get("/api/educator/courses", maker.token)).body.courses;
        expect(await own()).toHaveLength(died ? 0 : 1);
        expect((await Account.findById(maker.id).lean())?.hasCourses).toBe(died ? undefined : true);
        expect(await listed(await add(maker))).toBeDefined();
      },
    };
  });
}, 60_000);
