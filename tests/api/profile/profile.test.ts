import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { deliverIdentity, userData } from "../../factories/identity-events.js";
import { identityOf } from "../../server/emulators.js";
import { startTestServer, type TestServer } from "../../server/test-server.js";

const server = await startTestServer();

/** A valid token of a user whom no identity event has announced yet. */
const stranger = () => identityOf(server.emulators).issueToken(`user_${randomUUID()}`, { role: "student" });

test("GET /api/user/data answers the profile and the ids of active enrollments, oldest first, and nothing else", async () => {
  const learner = await server.signedIn("student", "Asha Rao");
  const courses = [await buildCourse(server), await buildCourse(server), await buildCourse(server)] as const;
  for (const { _id } of courses.toReversed()) await enroll(server, learner.id, _id);
  const { Enrollment, User } = server.deps.db;
  await Enrollment.updateOne({ userId: learner.id, courseId: courses[1]._id }, { $set: { active: false } });
  const { email } = (await User.findById(learner.id).lean()) ?? {};

  const answer = await server.get("/api/user/data", learner.token);
  expect(answer.status).toBe(200);
  const enrolledCourses = [String(courses[2]._id), String(courses[0]._id)];
  const user = { _id: learner.id, name: "Asha Rao", email, imageUrl: "https://img.example/a.png", enrolledCourses };
  expect(answer.body).toEqual({ success: true, user });
});

test("learners who ask at once are each answered with their own, and a user without a record yet with a refusal", async () => {
  const courses = [(await buildCourse(server))._id, (await buildCourse(server))._id] as const;
  const learners = await Promise.all(Array.from({ length: 12 }, (_, n) => server.signedIn("student", `Learner ${n}`)));
  for (const [n, { id }] of learners.entries()) await enroll(server, id, courses[n % 2 === 0 ? 0 : 1]);
  const tokens = [stranger(), ...learners.map(({ token }) => token)];

  const profiles = await Promise.all(tokens.map((token) => server.get("/api/user/data", token)));
  const lists = await Promise.all(tokens.map((token) => server.get("/api/user/enrolled-courses", token)));
  expect(profiles[0]).toMatchObject(refusal(200, "User Not Found"));
  expect(lists[0]).toMatchObject(refusal(404, "User not found"));
  for (const [n, { id }] of learners.entries()) {
    const courseId = String(courses[n % 2 === 0 ? 0 : 1]);
    const own = { _id: id, name: `Learner ${n}`, enrolledCourses: [courseId] };
    expect(profiles[n + 1]?.body.user).toMatchObject(own);
    expect(lists[n + 1]?.body.enrolledCourses).toMatchObject([{ _id: courseId }]);
  }
});

describe("GET /api/user/enrolled-courses", () => {
  test("answers exactly the specified item, oldest enrollment first", async () => {
    const educator = await server.signedIn("educator", "Meera Iyer");
    const learner = await server.signedIn();
    const rated = await buildCourse(server, { courseTitle: "Rated", educatorId: educator.id });
    const orphan = await buildCourse(server, { courseTitle: "Orphan", educatorId: "user_gone", isPublished: false });
    await enroll(server, learner.id, orphan._id);
    await enroll(server, learner.id, rated._id);
    await server.post("/api/user/add-rating", { courseId: String(rated._id), rating: 4 }, learner.token);
    const other = await server.signedIn();
    await enroll(server, other.id, rated._id);
    await server.post("/api/user/add-rating", { courseId: String(rated._id), rating: 1 }, other.token);

    const totals = { price: 999, totalLectures: 6, totalDurationMinutes: 60 };
    const item = { ...totals, thumbnail: "https://img.example/course.png" };
    expect((await server.get("/api/user/enrolled-courses", learner.token)).body).toEqual({
      success: true,
      enrolledCourses: [
        {
          ...item,
          _id: String(orphan._id),
          title: "Orphan",
          educator: { _id: "user_gone", name: "Deleted user", imageUrl: "" },
          userRating: null,
        },
        {
          ...item,
          _id: String(rated._id),
          title: "Rated",
          educator: { _id: educator.id, name: "Meera Iyer", imageUrl: "https://img.example/a.png" },
          userRating: 4,
        },
      ],
    });
  });

  test("shows a course and its educator as they were changed last, on every instance", async () => {
    const other = await server.another();
    const educator = await server.signedIn("educator");
    const learner = await server.signedIn();
    const fields = { educatorId: educator.id, isPublished: false };
    const first = await buildCourse(server, { ...fields, courseTitle: "One" });
    const second = await buildCourse(server, { ...fields, courseTitle: "Two" });
    for (const { _id } of [first, second]) await enroll(server, learner.id, _id);
    const shownBy = async (instance: TestServer) => {
      const { enrolledCourses } = (await instance.get("/api/user/enrolled-courses", learner.token)).body;
      return enrolledCourses.map(({ title, educator: { name } }: { title: string; educator: { name: string } }) => [
        title,
        name,
      ]);
    };
    const path = `/api/educator/courses/${first._id}`;
    for (let version = 1; version <= 5; version += 1) {
      const [editor, reader] = version % 2 ? [server, other] : [other, server];
      const meanwhile = [shownBy(reader), shownBy(editor)];
      await editor.patch(path, { courseTitle: `Edition ${version}`, version }, educator.token);
      for (const instance of [reader, editor]) {
        expect((await shownBy(instance)).map(([title = ""]) => title)).toEqual([`Edition ${version}`, "Two"]);
      }
      await Promise.all(meanwhile);
    }
    const renamed = userData(educator.id, "nisha@example.org", { first_name: "Nisha", last_name: "" });
    expect(await deliverIdentity(server, renamed, "user.updated")).toBe(200);
    for (const instance of [server, other]) {
      expect(await shownBy(instance)).toEqual([
        ["Edition 5", "Nisha"],
        ["Two", "Nisha"],
      ]);
    }
  });
});

describe("GET /api/user/enrolled-courses/:courseId", () => {
  test("shows every video URL, chapters and lectures in order, and the caller's own rating", async () => {
    const learner = await server.signedIn();
    const course = await buildCourse(server, { courseContent: buildChapters(2, 3) });
    await enroll(server, learner.id, course._id);
    const path = `/api/user/enrolled-courses/${course._id}`;

    const { courseData } = (await server.get(path, learner.token)).body;
    const chapters = buildChapters(2, 3).map((chapter) => ({ ...chapter, hasAssessment: false }));
    expect(courseData.courseContent).toEqual(chapters);
    expect(courseData.educatorId).toEqual({ _id: "user_educator", name: "Deleted user", imageUrl: "" });
    expect(courseData.userRating).toBeNull();
    expect(Object.keys(courseData).sort()).toEqual(
      [
        ...["_id", "courseTitle", "courseDescription", "courseThumbnail", "coursePrice", "isPublished", "discount"],
        ...["averageRating", "totalRatings", "totalLectures", "totalDurationMinutes", "educatorId"],
        ...["totalEnrolledStudents", "createdAt", "updatedAt", "courseContent", "userRating"],
      ].sort(),
    );
    await server.post("/api/user/add-rating", { courseId: String(course._id), rating: 5 }, learner.token);
    expect((await server.get(path, learner.token)).body.courseData).toMatchObject({ userRating: 5, averageRating: 5 });
  });

  test("refuses who is not enrolled and what does not exist alike; a malformed id is a fault", async () => {
    const { token, id } = await server.signedIn();
    const course = await buildCourse(server);
    const denied = refusal(403, "Access denied or course not found");
    const get = (courseId: unknown) => server.get(`/api/user/enrolled-courses/${courseId}`, token);
    expect(await get(course._id)).toMatchObject(denied);
    expect(await get("665f1c2ab7e4d90012ab34cd")).toMatchObject(denied);
    await enroll(server, id, course._id);
    await server.deps.db.Enrollment.updateOne({ userId: id }, { $set: { active: false } });
    expect(await get(course._id)).toMatchObject(denied);
    expect(await get("nonsense")).toMatchObject(refusal(500, "An unexpected error occurred"));
  });
});

describe("GET /api/user/continue", () => {
  test("lists begun and unfinished courses that are still held, newest activity first", async () => {
    const learner = await server.signedIn();
    const [first, second, finished, unopened, refunded] = await Promise.all(
      ["First", "Second", "Finished", "Unopened", "Refunded"].map((courseTitle) =>
        buildCourse(server, { courseTitle, courseContent: buildChapters(1, 3) }),
      ),
    );
    if (!first || !second || !finished || !unopened || !refunded) throw new Error("courses were not built");
    for (const { _id } of [first, second, finished, unopened, refunded]) await enroll(server, learner.id, _id);
    const post = async (course: typeof first, lectureId: string, positionSeconds?: number) => {
      const body = { courseId: String(course._id), lectureId, positionSeconds };
      expect((await server.post("/api/user/update-course-progress", body, learner.token)).status).toBe(200);
    };
    await post(refunded, "ch1-l1");
    await server.deps.db.Enrollment.updateOne({ courseId: refunded._id }, { $set: { active: false } });
    for (const lectureId of ["ch1-l1", "ch1-l2", "ch1-l3"]) await post(finished, lectureId);
    await post(first, "ch1-l1", 5);
    await post(second, "ch1-l3", 12.5);
    const before = (await server.get("/api/user/continue", learner.token)).body;
    expect(before.courses.map(({ courseTitle }: { courseTitle: string }) => courseTitle)).toEqual(["Second", "First"]);
    await post(first, "ch1-l2", 77);
    await post(first, "ch1-l1");

    const { courses } = (await server.get("/api/user/continue", learner.token)).body;
    const shown = { courseThumbnail: "https://img.example/course.png", lastActivityAt: expect.any(String) };
    expect(courses).toEqual([
      {
        ...{ ...shown, courseId: String(first._id), courseTitle: "First" },
        ...{ lastLectureId: "ch1-l1", positionSeconds: 0, percent: 67 },
      },
      {
        ...{ ...shown, courseId: String(second._id), courseTitle: "Second" },
        ...{ lastLectureId: "ch1-l3", positionSeconds: 12.5, percent: 33 },
      },
    ]);
    expect(new Date(courses[0].lastActivityAt).toISOString()).toBe(courses[0].lastActivityAt);
    expect(courses[0].lastActivityAt > courses[1].lastActivityAt).toBe(true);
  });

  test("is empty for a user who has begun nothing", async () => {
    expect((await server.get("/api/user/continue", stranger())).body).toEqual({ success: true, courses: [] });
  });
});
