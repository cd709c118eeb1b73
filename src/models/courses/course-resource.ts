import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { id } from "../../lib/fields.js";
import { defineCollection, rowTimes } from "../collection.js";

/** A file that learners of a course can download. */
export interface CourseResource {
  _id: Types.ObjectId;
  courseId: Types.ObjectId;
  /** The course's educator. */
  educatorId: string;
  /** Name of the file in the media storage. */
  file: string;
  /** Name of the file as the educator sent it. */
  name: string;
  /** Bytes. */
  size: number;
  contentType: string;
  /** `uploading`: the storage may have the file. `removed`: the storage may still have the file. */
  state: "uploading" | "stored" | "removed";
  /** When a job tries to remove the file and the row; absent while the resource is stored. */
  discardAt?: Date;
  /** Failed attempts to remove the file. */
  attempts: number;
  createdAt: Date;
}

const courseResourceSchema = new Schema<CourseResource>(
  {
    courseId: { type: Schema.Types.ObjectId, required: true },
    educatorId: { type: String, required: true },
    file: { type: String, required: true },
    name: { type: String, required: true },
    size: { type: Number, required: true },
    contentType: { type: String, required: true },
    state: { type: String, required: true },
    discardAt: Date,
    attempts: { type: Number, default: 0 },
  },
  { timestamps: { createdAt: true, updatedAt: false } },
);
courseResourceSchema.index({ courseId: 1, state: 1, createdAt: 1, _id: 1 }); // a course's list, and its number
courseResourceSchema.index({ educatorId: 1 }); // the export
courseResourceSchema.index({ discardAt: 1 }, { sparse: true }); // the job that removes files

export const courseResourceCollection = defineCollection<CourseResource>({
  schema: courseResourceSchema,
  holds: "name, size and type of a file of a course; the media storage has its content",
  kept: "until the educator removes it, and the storage has removed the file",
  userData: {
    owner: "educatorId",
    section: "courseResources",
    row: z.object({
      _id: id,
      courseId: id,
      name: z.string(),
      size: z.number(),
      contentType: z.string(),
      createdAt: rowTimes.createdAt,
    }),
    erasure: { keep: "learners have bought the course" },
  },
});
