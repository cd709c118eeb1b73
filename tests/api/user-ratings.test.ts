import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { recountRatings } from "../../src/commands/rate-course.js";
import { countRatings } from "../../src/jobs/count-ratings.js";
import type { Course } from "../../src/models/course.js";
import { buildCourse, enroll } from "../support/courses.js";
import { refusal, type SignedIn, startTestServer } from "../support/server.js";

const server = await startTestServer();

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

/** What the public sees of a course's ratings, in the list and in the detail. */
async function shown(course: Course) {
  const { courseData } = (await server.get(`/api/course/${course._id}`)).body;
  const { courses } = (await server.get("/api/course/all")).body;
  const listed = courses.find(({ _id }: { _id: string }) => _id === String(course._id));
  const { averageRating, totalRatings } = courseData;
  expect({ averageRating: listed.averageRating, totalRatings: listed.totalRatings }).toEqual({
    averageRating,
    totalRatings,
  });
  return { averageRating, totalRatings };
}

/** The same from the ratings themselves. */
async function recount(course: Course) {
  const ratings = await server.deps.db.CourseRating.find({ courseId: course._id }).lean();
  const mean = ratings.reduce((total, { rating }) => total + rating, 0) / (ratings.length || 1);
  return { averageRating: Math.round(mean * 10) / 10, totalRatings: ratings.length };
}

describe("POST /api/user/add-rating", () => {
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

  test("votes and replacements at the same moment on two instances equal a recount", async () => {
    const course = await buildCourse(server);
    const learners = await learnersOf(course, 20);
    const second = await server.another();
    const votes = learners.flatMap((learner, index) =>
      [1, 3, 5].map((rating, turn) =>
        rate(learner, String(course._id), ((rating + index) % 5) + 1, turn % 2 ? second : server),
      ),
    );
    const answers = await Promise.all(votes);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await shown(course)).toEqual(await recount(course));
    expect((await recount(course)).totalRatings).toBe(20);
  });

  test("one learner's simultaneous replacements take effect one after the other", async () => {
    const course = await buildCourse(server);
    const [learner] = (await learnersOf(course, 1)) as [SignedIn];
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, n) => rate(learner, String(course._id), (n % 5) + 1)),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const { averageRating, totalRatings } = await shown(course);
    expect({ averageRating, totalRatings }).toEqual(await recount(course));
    const own = await server.get(`/api/user/enrolled-courses/${course._id}`, learner.token);
    expect(own.body.courseData.userRating).toBe(averageRating);
  });
});

describe("a vote that a crash left half-counted", () => {
  /** The vote as it is stored when the process dies right after writing it. */
  async function abandonedVote(counted: number, rating: number) {
    const course = await buildCourse(server);
    const [learner] = (await learnersOf(course, 1)) as [SignedIn];
    if (counted > 0) await rate(learner, String(course._id), counted);
    const { CourseRating } = server.deps.db;
    await CourseRating.updateOne(
      { userId: learner.id, courseId: course._id },
      {
        $set: { rating, uncounted: true, updatedAt: new Date(Date.now() - 60_000) },
        $setOnInsert: { counted: 0 },
        $inc: { change: 1 },
      },
      { upsert: true, timestamps: false },
    );
    return { course, learner };
  }
  const sweep = () => countRatings(server.deps, new AbortController().signal);

  test.each([
    ["a first vote", 0],
    ["a replacement", 2],
  ])("%s is counted once by the sweeper, however often it runs", async (_name, counted) => {
    const { course } = await abandonedVote(counted, 5);
    await Promise.all([sweep(), sweep()]);
    await sweep();
    expect(await shown(course)).toEqual({ averageRating: 5, totalRatings: 1 });
  });

  test("is counted once when the process died between counting and taking the mark away", async () => {
    const { course, learner } = await abandonedVote(2, 5);
    const { CourseRating } = server.deps.db;
    const half = await CourseRating.findOne({ userId: learner.id }).lean();
    await sweep();
    await CourseRating.updateOne({ userId: learner.id }, { $set: { ...half } }, { timestamps: false });
    await sweep();
    expect(await shown(course)).toEqual({ averageRating: 5, totalRatings: 1 });
    expect(await CourseRating.countDocuments({ uncounted: true })).toBe(0);
  });

  test("votes given while the ratings are recounted are not lost and not counted twice", async () => {
    const { course } = await abandonedVote(2, 5);
    const { db } = server.deps;
    const earlier = Array.from({ length: 1_000 }, (_, n) => ({
      userId: `user_early_${n}`,
      rating: 3,
      counted: 3,
      change: 1,
    }));
    await db.CourseRating.insertMany(earlier.map((vote) => ({ ...vote, courseId: course._id })));
    await recountRatings(db, course._id);
    const learners = await learnersOf(course, 3);
    // A later recount would mend what an earlier one broke: so each is looked at by itself, begun a little later than
    // the last.
    for (let round = 0; round < 10; round++) {
      const rating = (round % 5) + 1;
      const voting = Promise.all(learners.map((learner) => rate(learner, String(course._id), rating)));
      await sleep(3 * round);
      // It may give up while the sums move.
      await recountRatings(db, course._id).catch(() => undefined);
      expect((await voting).filter(({ status }) => status !== 200)).toEqual([]);
      const sums = await db.Course.findById(course._id, { ratingSum: 1, totalRatings: 1 }).lean();
      expect(sums).toMatchObject({ ratingSum: 5 + 1_000 * 3 + 3 * rating, totalRatings: 1_004 });
    }
  });

  test("does not stand in the way of the learner's next vote", async () => {
    const { course, learner } = await abandonedVote(2, 5);
    expect((await rate(learner, String(course._id), 3)).status).toBe(200);
    expect(await shown(course)).toEqual({ averageRating: 3, totalRatings: 1 });
  });
});
