import { expect, test } from "vitest";
import type { Course } from "../../../src/models/courses/course.js";
import { ratingDiscrepancies } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });

const rate = (learner: SignedIn, courseId: unknown, rating: unknown, instance = server) =>
  instance.post("/api/user/add-rating", { courseId, rating }, learner.token);

async function learnersOf(course: Course, count: number): Promise<SignedIn[]> {
  const learners: SignedIn[] = [];
  for (let n = 0; n < count; n++) {
    const learner = await server.signedIn();
    await enroll(server, learner.id, course._id);
    learners.push(learner);
  }
  return learners;
}

/** What the public sees of a course's ratings. */
async function shown(course: Course) {
  const { averageRating, totalRatings } = (await server.get(`/api/course/${course._id}`)).body.courseData;
  return { averageRating, totalRatings };
}

/** The same from the ratings themselves. */
async function recount(course: Course) {
  const ratings = await server.deps.db.CourseRating.find({ courseId: course._id }).lean();
  const mean = ratings.reduce((total, { rating }) => total + rating, 0) / (ratings.length || 1);
  return { averageRating: Math.round(mean * 10) / 10, totalRatings: ratings.length };
}

test("adds one rating per learner and course; a new one replaces it", async () => {
  const course = await buildCourse(server);
  const [first, second] = (await learnersOf(course, 2)) as [SignedIn, SignedIn];
  expect(await shown(course)).toEqual({ averageRating: 0, totalRatings: 0 });
  expect(await rate(first, String(course._id), 4)).toMatchObject({
    status: 200,
    body: { success: true, message: "Rating Added" },
  });
  expect(await shown(course)).toEqual({ averageRating: 4, totalRatings: 1 });
  await rate(second, String(course._id), 5);
  expect(await shown(course)).toEqual({ averageRating: 4.5, totalRatings: 2 });
  await rate(first, String(course._id), 1);
  await rate(first, String(course._id), 1);
  expect(await shown(course)).toEqual({ averageRating: 3, totalRatings: 2 });
});

test("checks details, course and purchase in this order, with their full stops", async () => {
  const course = await buildCourse(server);
  const outsider = await server.signedIn();
  for (const rating of [0, 6, 4.5, -1, "5", null, undefined, true, [5], { $gt: 0 }]) {
    expect(await rate(outsider, "nonsense", rating)).toMatchObject(refusal(400, "Invalid Details"));
  }
  for (const courseId of ["", "  ", 5, null, undefined, { $ne: null }]) {
    expect(await rate(outsider, courseId, 5)).toMatchObject(refusal(400, "Invalid Details"));
  }
  for (const courseId of ["nonsense", "665f1c2ab7e4d90012ab34cd"]) {
    expect(await rate(outsider, courseId, 5)).toMatchObject(refusal(404, "Course not found."));
  }
  expect(await rate(outsider, String(course._id), 5)).toMatchObject(refusal(403, "Course not purchased."));
  const [former] = (await learnersOf(course, 1)) as [SignedIn];
  await rate(former, String(course._id), 5);
  await server.deps.db.Enrollment.updateOne({ userId: former.id }, { $set: { active: false } });
  expect(await rate(former, String(course._id), 1)).toMatchObject(refusal(403, "Course not purchased."));
  expect(await shown(course)).toEqual({ averageRating: 5, totalRatings: 1 });
});

test("the average comes from the sum, not from rounded means", async () => {
  const course = await buildCourse(server);
  const learners = await learnersOf(course, 9);
  for (const [index, learner] of learners.entries()) {
    await rate(learner, String(course._id), (index % 5) + 1);
    expect(await shown(course)).toEqual(await recount(course));
  }
});

test("first ratings and replacements of eight learners at the same moment on two instances equal a recount", async () => {
  const course = await buildCourse(server);
  const learners = await learnersOf(course, 8);
  const second = await server.another();
  const ratings = learners.flatMap((learner, index) =>
    [1, 3, 5].map((rating, turn) =>
      rate(learner, String(course._id), ((rating + index) % 5) + 1, turn % 2 ? second : server),
    ),
  );
  const answers = await Promise.all(ratings);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(await shown(course)).toEqual(await recount(course));
  expect((await recount(course)).totalRatings).toBe(8);
  expect(await ratingDiscrepancies(server.deps.db)).toEqual([]);
  const [learner] = learners as [SignedIn];
  const own = await server.get(`/api/user/enrolled-courses/${course._id}`, learner.token);
  const stored = await server.deps.db.CourseRating.findOne({ userId: learner.id }).orFail().lean();
  expect(own.body.courseData.userRating).toBe(stored.rating);
});
