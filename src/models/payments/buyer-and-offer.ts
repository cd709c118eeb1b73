import type { Types } from "mongoose";
import { type Offer, offered } from "../courses/course-queries.js";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";
import type { Buyer } from "../users/user.js";

interface BuyerAndOffer {
  readonly buyer: Buyer;
  /** Undefined when there is no such course. */
  readonly course: Offer | undefined;
}

const shown = Object.fromEntries(
  ["name", "email", ...["_id", ...Object.keys(offered)].map((field) => `courses.${field}`)].map((field) => [field, 1]),
);

/** What a purchase begins with, by one command; null when there is no such user. @param courseId null: no course. */
export async function findBuyerAndOffer(
  db: Models,
  userId: string,
  courseId: Types.ObjectId | null,
): Promise<BuyerAndOffer | null> {
  const from = db.Course.collection.name;
  const [found] = await nativeCollection(db.User)
    .aggregate<Buyer & { readonly courses: Offer[] }>([
      { $match: { _id: userId } },
      { $addFields: { courseId: { $literal: courseId } } },
      { $lookup: { from, localField: "courseId", foreignField: "_id", as: "courses" } },
      { $project: shown },
    ])
    .toArray();
  if (!found) return null;
  const { courses, ...buyer } = found;
  return { buyer, course: courses[0] };
}
