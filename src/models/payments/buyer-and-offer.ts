import type { Types } from "mongoose";
import { type Offer, offered } from "../courses/course-queries.js";
import { boughtNow, type Enrollment } from "../enrollments/enrollment.js";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";
import type { Buyer } from "../users/user.js";

interface BuyerAndOffer {
  readonly buyer: Buyer;
  /** Undefined when there is no such course. */
  readonly course: Offer | undefined;
  /** Whether a completed purchase gives the user access to the course now. */
  readonly hasBought: boolean;
}

type Stored = Buyer & {
  readonly courses: Offer[];
  readonly enrollments: Pick<Enrollment, "courseId" | "active" | "purchases" | "boughtUntil">[];
};

const fieldsOf = (of: string, names: readonly string[]) => names.map((name) => [`${of}.${name}`, 1] as const);
const shown = Object.fromEntries([
  ...(["name", "email"] as const).map((name) => [name, 1] as const),
  ...fieldsOf("courses", ["_id", ...Object.keys(offered)]),
  ...fieldsOf("enrollments", ["courseId", "active", "purchases", "boughtUntil"]),
]);

/** What a purchase begins with, by one command; null when there is no such user. @param courseId null: no course. */
export async function findBuyerAndOffer(
  db: Models,
  userId: string,
  courseId: Types.ObjectId | null,
): Promise<BuyerAndOffer | null> {
  const [courses, enrollments] = [db.Course.collection.name, db.Enrollment.collection.name];
  const [found] = await nativeCollection(db.User)
    .aggregate<Stored>([
      { $match: { _id: userId } },
      { $addFields: { courseId: { $literal: courseId } } },
      { $lookup: { from: courses, localField: "courseId", foreignField: "_id", as: "courses" } },
      { $lookup: { from: enrollments, localField: "_id", foreignField: "userId", as: "enrollments" } },
      { $project: shown },
    ])
    .toArray();
  if (!found) return null;
  const { courses: named, enrollments: own, ...buyer } = found;
  const hasBought = own.some((one) => courseId?.equals(one.courseId) && boughtNow(one));
  return { buyer, course: named[0], hasBought };
}
