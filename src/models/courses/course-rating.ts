import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { id } from "../../lib/fields.js";
import { defineCollection, rowTimes } from "../collection.js";

/** One learner's rating of one course; a new one replaces it. */
export interface CourseRating {
  _id: Types.ObjectId;
  userId: string;
  courseId: Types.ObjectId;
  /** 1 to 5. */
  rating: number;
  createdAt: Date;
  updatedAt: Date;
}

const courseRatingSchema = new Schema<CourseRating>(
  {
    userId: { type: String, required: true },
    courseId: { type: Schema.Types.ObjectId, required: true },
    rating: { type: Number, required: true },
  },
  { timestamps: true },
);
courseRatingSchema.index({ courseId: 1, rating: 1 }); // covers a recount
courseRatingSchema.index({ userId: 1, courseId: 1 }, { unique: true });

export const courseRatingCollection = defineCollection<CourseRating>({
  schema: courseRatingSchema,
  holds: "rating of a course, 1 to 5",
  kept: "for good; erasure takes the user out",
  userData: {
    owner: "userId",
    section: "ratings",
    row: z.object({ courseId: id, rating: z.number(), ...rowTimes }),
    erasure: "ownStep",
  },
});
