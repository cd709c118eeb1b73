import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

/** What an educator tells all learners of a course. */
export type Announcement = z.input<typeof announcementRow>;
const announcementRow = z.object({
  _id: objectIdField,
  courseId: objectIdField,
  /** User id of the author. */
  educatorId: z.string(),
  title: z.string(),
  /** Markdown. */
  body: z.string(),
  /** The UTC day, such as `2026-11-24`, and the place among the announcements of the course on that day. */
  day: z.string(),
  ordinal: z.number(),
  /** Number of learners that had access when it was written. */
  recipients: z.number(),
  /** Set until every learner has the notice. */
  noticeDueAt: timestamp.exactOptional(),
  /** The learners up to this user id have their notices. */
  sentTo: withDefault(z.string(), ""),
  createdAt: rowTimes.createdAt,
});

export const announcementCollection = defineCollection({
  row: announcementRow,
  indexes: [
    [{ courseId: 1, day: 1, ordinal: 1 }, { unique: true }],
    [{ noticeDueAt: 1 }, { sparse: true }],
    [{ educatorId: 1, noticeDueAt: 1 }, { partialFilterExpression: { noticeDueAt: { $gt: new Date(0) } } }], // whose turn it is
    [{ educatorId: 1, day: 1 }], // what an author may see and erase, and the number of a day
  ],
  holds: "what an educator tells the learners of a course",
  kept: "for good; erasure takes the author out",
  userData: {
    owner: "educatorId",
    section: "announcements",
    exported: ["courseId", "title", "body", "recipients", "createdAt"],
    exportedAs: { createdAt: timestamp },
    erasure: { anonymise: {} },
  },
});
