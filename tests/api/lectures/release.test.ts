import { expect, test } from "vitest";
import type { Chapter } from "../../../src/models/courses/course.js";
import { refusal } from "../../assertions/refusal.js";
import { buildAssessment } from "../../factories/assessments.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { addResource } from "../../factories/resources.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const educator = await server.signedIn("educator");
const notOpen = refusal(403, "Lecture is not open yet");
const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);

/** A course whose second chapter opens a week after the enrollment, unless `days` says otherwise. */
async function scene(days: (number | null)[] = [null, 7]) {
  const withDays = (wanted: (number | null)[]) =>
    buildChapters().map((chapter, index) => ({ ...chapter, releaseAfterDays: wanted[index] ?? null }));
  const courseContent = withDays(days).map(({ releaseAfterDays, ...chapter }) => ({
    ...chapter,
    ...(releaseAfterDays === null ? {} : { releaseAfterDays }),
  }));
  const course = await buildCourse(server, { educatorId: educator.id, courseContent });
  const courseId = String(course._id);
  const plan = async (courseContent: object[]) => {
    const { version } = await server.deps.db.Course.findById(courseId).orFail().lean();
    const edited = await server.patch(`/api/educator/courses/${courseId}`, { version, courseContent }, educator.token);
    expect(edited).toMatchObject({ status: 200 });
    return edited.body.course;
  };
  const learner = async (enrolledAt = new Date()) => {
    const user = await server.signedIn();
    await enroll(server, user.id, course._id);
    await server.deps.db.Enrollment.updateOne({ userId: user.id, courseId }, { enrolledAt });
    return user;
  };
  const player = async (user: SignedIn) =>
    (await server.get(`/api/user/enrolled-courses/${courseId}`, user.token)).body.courseData.courseContent;
  const lecture = async (user: SignedIn, lectureId: string) =>
    (await server.get(`/api/user/enrolled-courses/${courseId}/lectures/${lectureId}`, user.token)).body.lecture;
  const complete = (user: SignedIn, lectureId: string) =>
    server.post("/api/user/update-course-progress", { courseId, lectureId }, user.token);
  const owned = (await server.get(`/api/educator/courses/${courseId}`, educator.token)).body.course;
  return { courseId, owned, plan, withDays, learner, player, lecture, complete };
}

const urls = ({ chapterContent }: Chapter) => chapterContent.map(({ lectureUrl }) => lectureUrl);
const [first, second] = buildChapters() as [Chapter, Chapter];

test("a chapter opens so many days after the enrollment", async () => {
  const { courseId, owned, learner, player, lecture, complete } = await scene();
  expect(owned.courseContent[0]).not.toHaveProperty("releaseAfterDays");
  expect(owned.courseContent[1]).toMatchObject({ releaseAfterDays: 7 });
  expect(owned.courseContent[1].chapterContent[0].lectureUrl).toBe("https://video.example/ch2-l1");
  const [early, late] = [daysAgo(7), daysAgo(6.9)];
  const waiting = await learner(late);
  const opensAt = new Date(late.getTime() + 7 * dayMs).toISOString();
  const [open, closed] = await player(waiting);
  expect([open.opensAt, urls(open)]).toEqual([null, urls(first)]);
  expect([closed.opensAt, urls(closed)]).toEqual([opensAt, ["", "", ""]]);
  expect(closed).not.toHaveProperty("releaseAfterDays");
  expect(await lecture(waiting, "ch2-l2")).toMatchObject({ lectureUrl: "", blocks: [], resources: [], opensAt });
  expect(await complete(waiting, "ch2-l2")).toMatchObject(notOpen);
  expect(await complete(waiting, "ch9-l1")).toMatchObject(refusal(400, "Invalid lecture for this course"));
  expect(await complete(waiting, "ch1-l1")).toMatchObject({ status: 200 });

  const old = await learner(early);
  expect((await player(old))[1]).toMatchObject({ opensAt: null });
  expect(urls((await player(old))[1])).toEqual(urls(second));
  expect(await lecture(old, "ch2-l2")).toMatchObject({ lectureUrl: urls(second)[1], opensAt: null });
  expect(await complete(old, "ch2-l2")).toMatchObject({ status: 200 });

  const seen = (await server.get(`/api/course/${courseId}`)).body.courseData.courseContent;
  expect(seen.map((chapter: object) => Object.keys(chapter))).toEqual([Object.keys(first), Object.keys(first)]);
});

test("a course without release dates is answered as before", async () => {
  const { learner, player } = await scene([null, 0]);
  const chapters = await player(await learner());
  expect(chapters).toEqual(buildChapters().map((chapter) => ({ ...chapter, hasAssessment: false })));
});

test("the owner, free previews and learners who have completed the course are not held up", async () => {
  const { courseId, learner, player, complete } = await scene([30, 30]);
  const waiting = await learner();
  expect(urls((await player(waiting))[0])).toEqual([urls(first)[0], "", ""]);
  expect(await complete(waiting, "ch1-l1")).toMatchObject({ status: 200 });
  const done = await learner();
  const pair = { userId: done.id, courseId };
  await server.deps.db.Enrollment.updateOne(pair, { courseCompletedAt: new Date() });
  const course = await server.deps.db.Course.findById(courseId).orFail();
  await enroll(server, educator.id, course._id);
  for (const user of [done, educator]) {
    const [open, alsoOpen] = await player(user);
    expect([open.opensAt, alsoOpen.opensAt, urls(open), urls(alsoOpen)]).toEqual([
      ...[null, null, urls(first), urls(second)],
    ]);
    expect(await complete(user, "ch2-l1")).toMatchObject({ status: 200 });
  }
});

test("the file of a closed lecture is refused, unless an open lecture names it too", async () => {
  const { courseId, plan, learner } = await scene();
  const course = await server.deps.db.Course.findById(courseId).orFail();
  const { resourceId } = await addResource(server, educator, course._id);
  const named = (chapters: number[]) =>
    buildChapters().map((chapter, index) => ({
      ...chapter,
      releaseAfterDays: index * 7,
      chapterContent: chapter.chapterContent.map((lecture, position) =>
        position === 1 && chapters.includes(index) ? { ...lecture, blocks: [{ kind: "file", resourceId }] } : lecture,
      ),
    }));
  await plan(named([1]));
  const waiting = await learner();
  const download = (id: string, user = waiting) => server.get(`/api/user/resources/${courseId}/${id}`, user.token);
  expect(await download(resourceId)).toMatchObject(notOpen);
  expect((await download(resourceId, educator)).status).toBe(200);
  expect((await download(resourceId, await learner(daysAgo(8)))).status).toBe(200);
  await plan(named([0, 1]));
  expect((await download(resourceId)).status).toBe(200);
});

test("an edit closes nothing that a learner had open", async () => {
  const { plan, withDays, learner, player, complete } = await scene([null, 7]);
  const [had, waiting] = [await learner(daysAgo(8)), await learner(daysAgo(6))];
  const opened = async (user: SignedIn) => (await player(user)).flatMap(urls).filter(Boolean).length;
  // More days.
  await plan(withDays([null, 30]));
  await plan(withDays([null, 60]));
  expect([await opened(had), await opened(waiting)]).toEqual([6, 3]);
  expect(await complete(had, "ch2-l1")).toMatchObject({ status: 200 });
  // Lectures move to a chapter that opens later, and a preview ends there.
  const moved = [...first.chapterContent, ...second.chapterContent].map((lecture) => ({
    ...lecture,
    isPreviewFree: false,
  }));
  const chapters = [{ ...first, chapterContent: [], releaseAfterDays: null }];
  await plan([...chapters, { ...second, chapterContent: moved, releaseAfterDays: 90 }]);
  expect([await opened(had), await opened(waiting)]).toEqual([6, 3]);
  expect(await opened(await learner())).toBe(0);
  // Fewer days open it to all who enrolled long enough ago.
  await plan([...chapters, { ...second, chapterContent: moved, releaseAfterDays: 5 }]);
  expect([await opened(had), await opened(waiting), await opened(await learner())]).toEqual([6, 6, 0]);
});

test("who enrolls again does not wait again", async () => {
  const { courseId, owned, learner, player } = await scene();
  const again = await learner(daysAgo(8));
  const { Enrollment } = server.deps.db;
  await Enrollment.updateOne({ userId: again.id, courseId }, { active: false, purchases: 0 });
  const grant = { userId: again.id, courseId, reason: "Once more" };
  const admin = await server.signedIn("admin");
  expect((await server.post("/api/admin/enrollments", grant, admin.token)).status).toBe(200);
  const { enrolledAt } = await Enrollment.findOne({ userId: again.id, courseId }).orFail().lean();
  expect(enrolledAt.getTime()).toBeGreaterThan(Date.now() - dayMs);
  expect((await player(again)).map(urls)).toEqual([urls(first), urls(second)]);
  expect(owned.courseContent[1].releaseAfterDays).toBe(7);
});

test("quiz and assessment of a closed chapter are refused, but not an attempt that has begun", async () => {
  const { courseId, learner, player } = await scene();
  const [waiting, had] = [await learner(), await learner(daysAgo(8))];
  const answers = { courseId, chapterId: "ch2", answers: [0] };
  const quiz = (user: SignedIn) => server.get(`/api/quiz/${courseId}/ch2`, user.token);
  const submit = (user: SignedIn) => server.post("/api/quiz/submit", answers, user.token);
  const path = `/api/quiz/assessments/${courseId}/ch2`;
  const view = (user: SignedIn) => server.get(path, user.token);
  const start = (user: SignedIn) => server.post(`${path}/attempts`, undefined, user.token);
  for (const ask of [quiz, submit, view, start]) expect(await ask(waiting)).toMatchObject(notOpen);
  expect((await server.get(`/api/quiz/${courseId}/ch1`, waiting.token)).status).toBe(200);
  for (const user of [had, educator]) expect((await quiz(user)).status).toBe(200);

  const question = await buildAssessment(server, { courseId, educatorId: educator.id, chapterId: "ch2" });
  for (const ask of [quiz, submit, view, start]) expect(await ask(waiting)).toMatchObject(notOpen);
  for (const user of [had, educator]) expect((await view(user)).status).toBe(200);
  expect((await player(had)).map(({ hasAssessment }: { hasAssessment: boolean }) => hasAssessment)).toEqual([
    false,
    true,
  ]);
  const { attempt } = (await start(had)).body;
  // The plan of the course closes no attempt.
  await server.deps.db.Enrollment.updateOne({ userId: had.id, courseId }, { enrolledAt: new Date() });
  expect(await start(had)).toMatchObject(notOpen);
  const sent = await server.post(
    `/api/quiz/attempts/${attempt._id}/submit`,
    { answers: { [question]: true } },
    had.token,
  );
  expect(sent.body.result).toMatchObject({ percent: 100 });
  await server.deps.db.Enrollment.updateOne({ userId: had.id, courseId }, { courseCompletedAt: new Date() });
  expect((await view(had)).status).toBe(200);
});
