import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, uncast } from "../row.js";

/**
 * One stretch of time on one page, as the client reported it. The buckets below are sums over sessions. The transaction
 * that stores a session updates them.
 */
export type TimeSession = z.input<typeof timeSessionRow>;
const timeSessionRow = z.object({
  /** Random, or derived from learner and `Idempotency-Key`: a resent session is the same session. */
  _id: z.string(),
  userId: z.string(),
  /** The client's label. */
  page: z.string(),
  path: z.string(),
  /** Seconds. */
  duration: z.number(),
  /** When the server received it. */
  at: timestamp,
  /** How it was counted when the learner has too many buckets for its page or path. */
  counted: uncast(
    z.object({
      page: z.string().exactOptional(),
      course: z.literal(false).exactOptional(),
      chapter: z.literal(false).exactOptional(),
    }),
  ).exactOptional(),
});

/** The buckets keep what old sessions add up to: after this time, in seconds, the sessions themselves are removed. */
const sessionsKeptSeconds = 400 * 24 * 3_600;

export const timeSessionCollection = defineCollection({
  row: timeSessionRow,
  indexes: [
    [{ userId: 1 }], // what one learner may see and erase
    [{ at: 1 }, { expireAfterSeconds: sessionsKeptSeconds }],
  ],
  holds: "one stretch of learning time as the browser reported it",
  kept: "400 days, or erasure",
  userData: {
    owner: "userId",
    section: "timeSessions",
    exported: ["page", "path", "duration", "at"],
    erasure: "delete",
  },
});

/** Number of a learner's buckets whose names the client chose. It never falls. */
export type TimeBucketCounts = z.input<typeof timeBucketCountsRow>;
const timeBucketCountsRow = z.object({
  /** User id. */
  _id: z.string(),
  /** Labels of pages, without those that are no learning time. */
  pages: z.number().exactOptional(),
  /** Courses, and chapters of courses, that did not exist when the bucket was made. */
  courses: z.number().exactOptional(),
  chapters: z.number().exactOptional(),
});

export const timeBucketCountsCollection = defineCollection({
  row: timeBucketCountsRow,
  holds: "how many labels and unknown courses a user has, which bounds the number of sums",
  kept: "erasure",
  userData: {
    owner: "_id",
    section: "timeLabels",
    exported: ["pages", "courses", "chapters"],
    erasure: "delete",
  },
});

/** Time of one learner under one label. */
const pageTimeRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  page: z.string(),
  /** Seconds. */
  duration: z.number(),
  visits: z.number(),
  /** The newest session; compared as a whole, field by field, so the order of the fields matters. */
  newest: uncast(z.object({ at: timestamp, path: z.string() })),
});

export const pageTimeCollection = defineCollection({
  row: pageTimeRow,
  indexes: [[{ userId: 1, page: 1 }, { unique: true }]],
  holds: "sum of learning time for the learner's statistics",
  kept: "erasure",
  userData: {
    owner: "userId",
    section: "timeByPage",
    exported: ["page", "duration", "visits", "newest"],
    erasure: "delete",
  },
});

/** Time of one learner on learning pages in one UTC day. */
const dayTimeRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  /** YYYY-MM-DD. */
  day: z.string(),
  /** Seconds. */
  duration: z.number(),
});

export const dayTimeCollection = defineCollection({
  row: dayTimeRow,
  indexes: [[{ userId: 1, day: 1 }, { unique: true }]],
  holds: "sum of learning time for the learner's statistics",
  kept: "erasure",
  userData: {
    owner: "userId",
    section: "timeByDay",
    exported: ["day", "duration"],
    erasure: "delete",
  },
});

/** Time of one learner in one course's player. The course id is what the path said: no such course need exist. */
export type CourseTime = z.input<typeof courseTimeRow>;
const courseTimeRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  courseId: z.string(),
  /** Seconds. */
  duration: z.number(),
  sessions: z.number(),
});

export const courseTimeCollection = defineCollection({
  row: courseTimeRow,
  indexes: [[{ userId: 1, courseId: 1 }, { unique: true }]],
  holds: "sum of learning time for the learner's statistics",
  kept: "erasure",
  userData: {
    owner: "userId",
    section: "timeByCourse",
    exported: ["courseId", "duration", "sessions"],
    erasure: "delete",
  },
});

/** Time of one learner on one chapter's quiz. */
export type ChapterTime = z.input<typeof chapterTimeRow>;
const chapterTimeRow = z.object({
  ...courseTimeRow.shape,
  chapterId: z.string(),
});

export const chapterTimeCollection = defineCollection({
  row: chapterTimeRow,
  indexes: [[{ userId: 1, courseId: 1, chapterId: 1 }, { unique: true }]],
  holds: "sum of learning time for the learner's statistics",
  kept: "erasure",
  userData: {
    owner: "userId",
    section: "timeByChapter",
    exported: ["courseId", "chapterId", "duration", "sessions"],
    erasure: "delete",
  },
});
