import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { commandsDuring, effortOf } from "../assertions/commands.js";
import { buildCourse } from "../factories/courses.js";
import { insertRows } from "../factories/stored-sales.js";
import { startTestServer } from "../server/test-server.js";

/* What a page of reviews costs among few and among many of its course. */

const server = await startTestServer();
const { db } = server.deps;

/** A course with reviews of every rating and with few or many votes, a tenth of which are hidden. */
async function courseWith(reviews: number): Promise<string> {
  const { _id: courseId } = await buildCourse(server);
  for (let from = 0; from < reviews; from += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, reviews - from) }, (_r, n) => ({
      ...{ userId: `user_${randomUUID()}`, courseId, rating: (n % 5) + 1, review: "x", helpfulCount: n % 7 },
      ...{ hiddenAt: n % 10 === 0 ? new Date() : null, createdAt: new Date(n), updatedAt: new Date(n) },
    }));
    await insertRows(db.CourseRating, rows);
  }
  const star = reviews / 5;
  const stars = { ratings1: star, ratings2: star, ratings3: star, ratings4: star, ratings5: star };
  await db.Course.updateOne({ _id: courseId }, { ...stars, totalRatings: reviews, ratingSum: 15 * star });
  return String(courseId);
}

const [few, many] = [await courseWith(10), await courseWith(10_000)];

test.each(["", "&sort=newest", "&rating=3", "&rating=3&sort=newest"])(
  "two pages%s cost the same among 10 and 10,000 reviews",
  async (query) => {
    const costs = [];
    for (const courseId of [few, many]) {
      const path = `/api/course/${courseId}/reviews?limit=1${query}`;
      const commands = await commandsDuring(server, async () => {
        const { body } = await server.get(path);
        expect((await server.get(`${path}&after=${body.nextCursor}`)).body.reviews).toHaveLength(1);
      });
      costs.push(await effortOf(server, commands));
    }
    const [small, large] = costs;
    expect(large?.commands).toEqual(small?.commands);
    expect(large).toMatchObject({ scans: [], sorts: [] });
    // One of the engines does not say how many documents it examined.
    if (!Number.isNaN(large?.documents)) expect(large?.documents).toBeLessThanOrEqual((small?.documents ?? 0) + 1);
  },
);
