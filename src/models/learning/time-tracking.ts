import { Schema, type Types } from "mongoose";

/**
 * One stretch of time on one page, as the client reported it. The buckets below are sums over these; they move in the
 * transaction that stores a session.
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
  /** Where it was counted otherwise than page and path say, because the learner has too many buckets of that kind. */
  counted?: { page?: string; course?: false; chapter?: false };
}

export const timeSessionSchema = new Schema<TimeSession>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    page: { type: String, required: true },
    path: { type: String, required: true },
    duration: { type: Number, required: true },
    at: { type: Date, required: true },
    counted: { type: Schema.Types.Mixed },
  },
  { versionKey: false },
);
/** The buckets keep what old sessions add up to: after this time, in seconds, the sessions themselves are removed. */
const sessionsKeptSeconds = 400 * 24 * 3_600;
timeSessionSchema.index({ userId: 1 }); // what one learner may see and erase
timeSessionSchema.index({ at: 1 }, { expireAfterSeconds: sessionsKeptSeconds });

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

export const timeBucketCountsSchema = new Schema<TimeBucketCounts>(
  {
    _id: { type: String, required: true },
    pages: { type: Number },
    courses: { type: Number },
    chapters: { type: Number },
  },
  { versionKey: false },
);

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

export const pageTimeSchema = new Schema<PageTime>(
  {
    userId: { type: String, required: true },
    page: { type: String, required: true },
    duration: { type: Number, required: true },
    visits: { type: Number, required: true },
    newest: { type: Schema.Types.Mixed, required: true },
  },
  { versionKey: false },
);
pageTimeSchema.index({ userId: 1, page: 1 }, { unique: true });

/** Time of one learner on learning pages in one UTC day. */
export interface DayTime {
  _id: Types.ObjectId;
  userId: string;
  /** YYYY-MM-DD. */
  day: string;
  /** Seconds. */
  duration: number;
}

export const dayTimeSchema = new Schema<DayTime>(
  {
    userId: { type: String, required: true },
    day: { type: String, required: true },
    duration: { type: Number, required: true },
  },
  { versionKey: false },
);
dayTimeSchema.index({ userId: 1, day: 1 }, { unique: true });

/** Time of one learner in one course's player. The course id is what the path said: no such course need exist. */
export interface CourseTime {
  _id: Types.ObjectId;
  userId: string;
  courseId: string;
  /** Seconds. */
  duration: number;
  sessions: number;
}

export const courseTimeSchema = new Schema<CourseTime>(
  {
    userId: { type: String, required: true },
    courseId: { type: String, required: true },
    duration: { type: Number, required: true },
    sessions: { type: Number, required: true },
  },
  { versionKey: false },
);
courseTimeSchema.index({ userId: 1, courseId: 1 }, { unique: true });

/** Time of one learner on one chapter's quiz. */
export interface ChapterTime extends CourseTime {
  chapterId: string;
}

export const chapterTimeSchema = new Schema<ChapterTime>(
  {
    userId: { type: String, required: true },
    courseId: { type: String, required: true },
    chapterId: { type: String, required: true },
    duration: { type: Number, required: true },
    sessions: { type: Number, required: true },
  },
  { versionKey: false },
);
chapterTimeSchema.index({ userId: 1, courseId: 1, chapterId: 1 }, { unique: true });
