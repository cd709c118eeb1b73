import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection, optional } from "../collection.js";

/**
 * One stretch of time on one page, as the client reported it. The buckets below are sums over sessions. The transaction
 * that stores a session updates them.
 */
export interface TimeSession {
  /** Random, or derived from learner and `Idempotency-Key`: a resent session is the same session. */
  _id: string;
  userId: string;
  /** The client's label. */
  page: string;
  path: string;
  /** Seconds. */
  duration: number;
  /** When the server received it. */
  at: Date;
  /** How it was counted when the learner has too many buckets for its page or path. */
  counted?: { page?: string; course?: false; chapter?: false };
}

const timeSessionSchema = new Schema<TimeSession>({
  _id: { type: String, required: true },
  userId: { type: String, required: true },
  page: { type: String, required: true },
  path: { type: String, required: true },
  duration: { type: Number, required: true },
  at: { type: Date, required: true },
  counted: { type: Schema.Types.Mixed },
});
/** The buckets keep what old sessions add up to: after this time, in seconds, the sessions themselves are removed. */
const sessionsKeptSeconds = 400 * 24 * 3_600;
timeSessionSchema.index({ userId: 1 }); // what one learner may see and erase
timeSessionSchema.index({ at: 1 }, { expireAfterSeconds: sessionsKeptSeconds });

export const timeSessionCollection = defineCollection<TimeSession>({
  schema: timeSessionSchema,
  holds: "one stretch of learning time as the browser reported it",
  kept: "400 days, or erasure",
  userData: {
    owner: "userId",
    section: "timeSessions",
    row: z.object({ page: z.string(), path: z.string(), duration: z.number(), at: timestamp }),
    erasure: "delete",
  },
});

/** How many buckets of the kinds that a client can name freely one learner has. They never get fewer. */
export interface TimeBucketCounts {
  /** User id. */
  _id: string;
  /** Labels of pages, without those that are no learning time. */
  pages?: number;
  /** Courses, and chapters of courses, that did not exist when the bucket was made. */
  courses?: number;
  chapters?: number;
}

const timeBucketCountsSchema = new Schema<TimeBucketCounts>({
  _id: { type: String, required: true },
  pages: { type: Number },
  courses: { type: Number },
  chapters: { type: Number },
});

export const timeBucketCountsCollection = defineCollection<TimeBucketCounts>({
  schema: timeBucketCountsSchema,
  holds: "how many labels and unknown courses a user has, which bounds the number of sums",
  kept: "erasure",
  userData: {
    owner: "_id",
    section: "timeLabels",
    row: z.object({ pages: optional.number, courses: optional.number, chapters: optional.number }),
    erasure: "delete",
  },
});

/** Time of one learner under one label. */
export interface PageTime {
  _id: Types.ObjectId;
  userId: string;
  page: string;
  /** Seconds. */
  duration: number;
  visits: number;
  /** The newest session; compared as a whole, field by field, so the order of the fields matters. */
  newest: { at: Date; path: string };
}

const pageTimeSchema = new Schema<PageTime>({
  userId: { type: String, required: true },
  page: { type: String, required: true },
  duration: { type: Number, required: true },
  visits: { type: Number, required: true },
  newest: { type: Schema.Types.Mixed, required: true },
});
pageTimeSchema.index({ userId: 1, page: 1 }, { unique: true });

export const pageTimeCollection = defineCollection<PageTime>({
  schema: pageTimeSchema,
  holds: "sum of learning time for the learner's statistics",
  kept: "erasure",
  userData: {
    owner: "userId",
    section: "timeByPage",
    row: z.object({
      page: z.string(),
      duration: z.number(),
      visits: z.number(),
      newest: z.object({ at: timestamp, path: z.string() }),
    }),
    erasure: "delete",
  },
});

/** Time of one learner on learning pages in one UTC day. */
export interface DayTime {
  _id: Types.ObjectId;
  userId: string;
  /** YYYY-MM-DD. */
  day: string;
  /** Seconds. */
  duration: number;
}

const dayTimeSchema = new Schema<DayTime>({
  userId: { type: String, required: true },
  day: { type: String, required: true },
  duration: { type: Number, required: true },
});
dayTimeSchema.index({ userId: 1, day: 1 }, { unique: true });

export const dayTimeCollection = defineCollection<DayTime>({
  schema: dayTimeSchema,
  holds: "sum of learning time for the learner's statistics",
  kept: "erasure",
  userData: {
    owner: "userId",
    section: "timeByDay",
    row: z.object({ day: z.string(), duration: z.number() }),
    erasure: "delete",
  },
});

/** Time of one learner in one course's player. The course id is what the path said: no such course need exist. */
export interface CourseTime {
  _id: Types.ObjectId;
  userId: string;
  courseId: string;
  /** Seconds. */
  duration: number;
  sessions: number;
}

const courseTimeSchema = new Schema<CourseTime>({
  userId: { type: String, required: true },
  courseId: { type: String, required: true },
  duration: { type: Number, required: true },
  sessions: { type: Number, required: true },
});
courseTimeSchema.index({ userId: 1, courseId: 1 }, { unique: true });

export const courseTimeCollection = defineCollection<CourseTime>({
  schema: courseTimeSchema,
  holds: "sum of learning time for the learner's statistics",
  kept: "erasure",
  userData: {
    owner: "userId",
    section: "timeByCourse",
    row: z.object({ courseId: z.string(), duration: z.number(), sessions: z.number() }),
    erasure: "delete",
  },
});

/** Time of one learner on one chapter's quiz. */
export interface ChapterTime extends CourseTime {
  chapterId: string;
}

const chapterTimeSchema = new Schema<ChapterTime>({
  userId: { type: String, required: true },
  courseId: { type: String, required: true },
  chapterId: { type: String, required: true },
  duration: { type: Number, required: true },
  sessions: { type: Number, required: true },
});
chapterTimeSchema.index({ userId: 1, courseId: 1, chapterId: 1 }, { unique: true });

export const chapterTimeCollection = defineCollection<ChapterTime>({
  schema: chapterTimeSchema,
  holds: "sum of learning time for the learner's statistics",
  kept: "erasure",
  userData: {
    owner: "userId",
    section: "timeByChapter",
    row: z.object({ courseId: z.string(), chapterId: z.string(), duration: z.number(), sessions: z.number() }),
    erasure: "delete",
  },
});
