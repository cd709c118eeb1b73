import { Schema, type Types } from "mongoose";
import { countedKeys } from "./counted-keys.js";

export interface Lecture {
  lectureId: string;
  lectureTitle: string;
  /** Minutes. */
  lectureDuration: number;
  lectureUrl: string;
  isPreviewFree: boolean;
  lectureOrder: number;
}

export interface Chapter {
  chapterId: string;
  chapterOrder: number;
  chapterTitle: string;
  chapterContent: Lecture[];
}

export interface Course {
  _id: Types.ObjectId;
  courseTitle: string;
  /** Markdown. */
  courseDescription: string;
  courseThumbnail: string;
  /** Name of the thumbnail in the media storage; empty when it is not there. */
  thumbnailFile: string;
  /** Major unit of the platform's currency, at most two decimals. */
  coursePrice: number;
  /** Percent, 0 to 100. */
  discount: number;
  isPublished: boolean;
  courseContent: Chapter[];
  /** User id. */
  educatorId: string;
  /** Raised by every edit and every publish, by nothing else. */
  version: number;
  totalLectures: number;
  totalDurationMinutes: number;
  /** Number and sum of all ratings; their mean is computed where it is shown (commands/course-view.ts). */
  totalRatings: number;
  ratingSum: number;
  /** Raised whenever the two move. */
  ratingChange: number;
  /** Number of active enrollments. */
  totalEnrolledStudents: number;
  /** Minor units over completed purchases, and their number. */
  revenueMinor: number;
  completedPurchases: number;
  createdAt: Date;
  updatedAt: Date;
}

const lectureSchema = new Schema<Lecture>(
  {
    lectureId: { type: String, required: true },
    lectureTitle: { type: String, required: true },
    lectureDuration: { type: Number, required: true },
    lectureUrl: { type: String, default: "" },
    isPreviewFree: { type: Boolean, default: false },
    lectureOrder: { type: Number, required: true },
  },
  { _id: false },
);

const chapterSchema = new Schema<Chapter>(
  {
    chapterId: { type: String, required: true },
    chapterOrder: { type: Number, required: true },
    chapterTitle: { type: String, required: true },
    chapterContent: [lectureSchema],
  },
  { _id: false },
);

/** Not by id alone: an id is given before the thumbnail is uploaded, and by each instance on its own. */
export const inCreationOrder = { createdAt: 1, _id: 1 } as const;

/** Votes that a recount took into the sums before their own addition came (see commands/rate-course.ts). */
const recountedVotes = { recountedVotes: { type: [String], select: false } };

export const courseSchema = new Schema<Course>(
  {
    courseTitle: { type: String, required: true },
    courseDescription: { type: String, required: true },
    courseThumbnail: { type: String, default: "" },
    thumbnailFile: { type: String, default: "" },
    coursePrice: { type: Number, required: true },
    discount: { type: Number, default: 0 },
    isPublished: { type: Boolean, default: true },
    courseContent: [chapterSchema],
    educatorId: { type: String, required: true },
    version: { type: Number, default: 1 },
    totalLectures: { type: Number, default: 0 },
    totalDurationMinutes: { type: Number, default: 0 },
    totalRatings: { type: Number, default: 0 },
    ratingSum: { type: Number, default: 0 },
    ratingChange: { type: Number, default: 0 },
    ...recountedVotes,
    totalEnrolledStudents: { type: Number, default: 0 },
    revenueMinor: { type: Number, default: 0 },
    completedPurchases: { type: Number, default: 0 },
    ...countedKeys,
  },
  { timestamps: true, versionKey: false },
);
courseSchema.index({ isPublished: 1, ...inCreationOrder });
courseSchema.index({ educatorId: 1, ...inCreationOrder });
courseSchema.index({ totalEnrolledStudents: -1, _id: 1 });

/**
 * One learner's rating of one course; a new one replaces it. While `uncounted`, nothing but the counting changes it: so
 * what a change moves the course's sums by is fixed from the start (see commands/rate-course.ts).
 */
export interface CourseRating {
  _id: Types.ObjectId;
  userId: string;
  courseId: Types.ObjectId;
  /** 1 to 5. */
  rating: number;
  /** What the course's sums hold of it; 0 before the first count. */
  counted: number;
  /** Raised by every vote: names the change in the course. */
  change: number;
  uncounted: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export const courseRatingSchema = new Schema<CourseRating>(
  {
    userId: { type: String, required: true },
    courseId: { type: Schema.Types.ObjectId, required: true },
    rating: { type: Number, required: true },
    counted: { type: Number, default: 0 },
    change: { type: Number, default: 0 },
    uncounted: { type: Boolean, default: false },
  },
  { timestamps: true, versionKey: false },
);
courseRatingSchema.index({ userId: 1, courseId: 1 }, { unique: true });
courseRatingSchema.index({ courseId: 1 }); // a recount of one course's ratings
// What the sweeper finishes.
courseRatingSchema.index({ updatedAt: 1 }, { partialFilterExpression: { uncounted: true } });

/**
 * One document, `_id: "catalog"`: tells whether a cached catalog is still the truth (see commands/catalog-revision.ts).
 */
export interface CatalogRevision {
  _id: string;
  started: number;
  finished: number;
  at: Date;
}

export const catalogRevisionSchema = new Schema<CatalogRevision>(
  {
    _id: { type: String, required: true },
    started: { type: Number, default: 0 },
    finished: { type: Number, default: 0 },
    at: { type: Date, required: true },
  },
  { versionKey: false },
);
