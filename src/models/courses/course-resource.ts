import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

/** A file that learners of a course can download. */
export type CourseResource = z.input<typeof courseResourceRow>;
const courseResourceRow = z.object({
  _id: objectIdField,
  courseId: objectIdField,
  /** The course's educator. */
  educatorId: z.string(),
  /** Name of the file in the media storage. */
  file: z.string(),
  /** Name of the file as the educator sent it. */
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  contentType: z.string(),
  /** The encoding of a text; absent for UTF-8. */
  charset: z.string().exactOptional(),
  /** `uploading`: the storage may have the file. `removed`: the storage may still have the file. */
  state: z.enum(["uploading", "stored", "removed"]),
  /** When a job tries to remove the file and the row; absent while the resource is stored. */
  discardAt: timestamp.exactOptional(),
  /** Failed attempts to remove the file. */
  attempts: withDefault(z.number(), 0),
  createdAt: rowTimes.createdAt,
});

export const courseResourceCollection = defineCollection({
  row: courseResourceRow,
  indexes: [
    [{ courseId: 1, state: 1, createdAt: 1, _id: 1 }], // a course's list, and its number
    [{ educatorId: 1 }], // the export
    [{ discardAt: 1 }, { sparse: true }], // the job that removes files
  ],
  holds: "name, size and type of a file of a course; the media storage has its content",
  kept: "until the educator removes it, and the storage has removed the file",
  userData: {
    owner: "educatorId",
    section: "courseResources",
    exported: ["_id", "courseId", "name", "size", "contentType", "createdAt"],
    erasure: { keep: "learners have bought the course" },
  },
});
