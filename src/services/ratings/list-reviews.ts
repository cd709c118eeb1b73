import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { findAfter } from "../../db/ordered-list.js";
import type { Course } from "../../models/courses/course.js";
import type { StarCount } from "../../models/courses/course-queries.js";
import { type CourseRating, listed, reviewOrders } from "../../models/courses/course-rating.js";
import { countStars, stars, totalsOf } from "../../models/courses/star-counts.js";
import { CourseNotFound } from "../failures.js";
import { userCards } from "../users/user-cards.js";

export interface ReviewQuery {
  readonly rating?: number | undefined;
  readonly sort: keyof typeof reviewOrders;
}

/** The place of a review in every order, so that a cursor stays valid when the order changes. */
type Place = readonly [helpfulCount: number, createdAt: Date, _id: Types.ObjectId];

/** Lists the reviews of a course: ratings with a text that are not hidden. */
export function listReviews(db: Db, courseId: string, { rating, sort }: ReviewQuery, viewerId: string | undefined) {
  const filter = { courseId: new Types.ObjectId(courseId), ...listed, ...(rating && { rating }) };
  return {
    find(place: Place | undefined, limit: number) {
      const after = sort === "newest" ? place?.slice(1) : place;
      return findAfter<CourseRating>(db.CourseRating, { filter, sort: reviewOrders[sort], after, limit });
    },
    keyOf: ({ helpfulCount = 0, createdAt, _id }: CourseRating): Place => [helpfulCount, createdAt, _id],
    describe: (reviews: readonly CourseRating[]) => describeReviews(db, reviews, viewerId),
  };
}

async function describeReviews(db: Db, reviews: readonly CourseRating[], viewerId: string | undefined) {
  const ids = reviews.map(({ _id }) => _id);
  const [cardOf, responses, votes] = await Promise.all([
    userCards(
      db,
      reviews.map(({ userId }) => userId),
    ),
    db.ReviewResponse.find({ _id: { $in: ids } }, { content: 1, createdAt: 1 }).lean(),
    viewerId ? db.HelpfulVote.find({ userId: viewerId, reviewId: { $in: ids } }, { reviewId: 1 }).lean() : [],
  ]);
  const responseTo = new Map(responses.map((response) => [String(response._id), response]));
  const helpful = new Set(votes.map(({ reviewId }) => String(reviewId)));
  return reviews.map(({ userId, review = "", helpfulCount = 0, ...rest }) => {
    const [author, id] = [cardOf(userId), String(rest._id)];
    return {
      ...rest,
      review,
      helpfulCount,
      authorName: author.name,
      authorImage: author.imageUrl,
      isAuthor: userId === viewerId,
      isHelpful: helpful.has(id),
      response: responseTo.get(id) ?? null,
    };
  });
}

type Distribution = Record<(typeof stars)[number], number>;
const starCounts = { ratings1: 1, ratings2: 1, ratings3: 1, ratings4: 1, ratings5: 1 } as const;
type Counted = Pick<Course, "_id" | "totalRatings" | "ratingSum"> & Partial<Pick<Course, StarCount>>;

/**
 * Reads how many ratings of a course have each number of stars, with and without a text. Hidden reviews do not count.
 * @throws CourseNotFound
 */
export async function readDistribution(db: Db, courseId: string): Promise<Distribution> {
  const fields = { totalRatings: 1, ratingSum: 1, ...starCounts };
  const course = await db.Course.findById(courseId, fields).lean<Counted>();
  if (!course) throw CourseNotFound();
  const { totalRatings, ratingSum } = totalsOf(course);
  const isCounted = totalRatings === course.totalRatings && ratingSum === course.ratingSum;
  // A former version has not written the counters.
  return distributionOf(isCounted ? course : await countStars(db, course._id));
}

const distributionOf = (counts: Partial<Record<StarCount, number>>): Distribution =>
  Object.fromEntries(stars.map((star) => [star, counts[`ratings${star}`] ?? 0])) as Distribution;
