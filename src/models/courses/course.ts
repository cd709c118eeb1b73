import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { id } from "../../lib/fields.js";
import { defineCollection, optional, rowTimes } from "../collection.js";
import type { LectureBlock } from "./lecture-block.js";

export interface Lecture {
  lectureId: string;
  lectureTitle: string;
  /** Minutes. */
  lectureDuration: number;
  lectureUrl: string;
  isPreviewFree: boolean;
  lectureOrder: number;
  /** In order; absent without any. */
  blocks?: LectureBlock[];
  /** Learners who enrolled by then had the lecture open before it moved to a chapter that opens later. */
  openIfEnrolledBy?: Date;
}

export interface Chapter {
  chapterId: string;
  chapterOrder: number;
  chapterTitle: string;
  chapterContent: Lecture[];
  /** Days after the enrollment until the chapter opens; absent: at once. */
  releaseAfterDays?: number;
  /** Learners who enrolled by then had the chapter open before an edit raised the days. */
  openIfEnrolledBy?: Date;
}

/** An assessment that replaces the quiz of a chapter. */
export interface ChapterAssessment {
  chapterId: string;
  assessmentId: Types.ObjectId;
  /** Percent that completes the course; null: the course completes without it. */
  requiredPercent: number | null;
}

export interface Course {
  _id: Types.ObjectId;
  courseTitle: string;
  /** Markdown. */
  courseDescription: string;
  courseThumbnail: string;
  /** Name of the thumbnail in the media storage; empty when it is not there. */
  thumbnailFile: string;
  /** In the major unit of the platform's currency, with at most the decimals of that currency. */
  coursePrice: number;
  /** Percent, 0 to 100. */
  discount: number;
  /** Days of access after a purchase; null or missing: for good. */
  accessDays?: number | null;
  isPublished: boolean;
  /** In order, lectures too. */
  courseContent: Chapter[];
  /** User id. */
  educatorId: string;
  /** Raised by every edit and every publish, by nothing else. */
  version: number;
  totalLectures: number;
  totalDurationMinutes: number;
  /** Number and sum of all ratings; their mean is computed where it is shown (services/courses/course-view.ts). */
  totalRatings: number;
  ratingSum: number;
  /** Number of active enrollments. */
  totalEnrolledStudents: number;
  /** Minor units over completed purchases, and their number. */
  revenueMinor: number;
  completedPurchases: number;
  /** When learners who have completed every lecture are looked for; absent unless an edit has removed a lecture. */
  completionsDueAt?: Date;
  /** When a resource was last added or removed. Transactions write it to exclude each other. */
  resourcesChangedAt?: Date;
  /** Written by services/assessments; absent without any. */
  assessments?: ChapterAssessment[];
  /** The renderer that made the HTML of the texts; absent without texts. 0: the job renders them. */
  rendererVersion?: number;
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
    blocks: { type: [Schema.Types.Mixed], default: undefined },
    openIfEnrolledBy: Date,
  },
  { _id: false },
);

const chapterSchema = new Schema<Chapter>(
  {
    chapterId: { type: String, required: true },
    chapterOrder: { type: Number, required: true },
    chapterTitle: { type: String, required: true },
    chapterContent: [lectureSchema],
    releaseAfterDays: Number,
    openIfEnrolledBy: Date,
  },
  { _id: false },
);

const chapterAssessmentSchema = new Schema<ChapterAssessment>(
  {
    chapterId: { type: String, required: true },
    assessmentId: { type: Schema.Types.ObjectId, required: true },
    requiredPercent: { type: Number, default: null },
  },
  { _id: false },
);

/** Not by id alone: an id is given before the thumbnail is uploaded, and by each instance on its own. */
export const inCreationOrder = { createdAt: 1, _id: 1 } as const;

const courseSchema = new Schema<Course>(
  {
    courseTitle: { type: String, required: true },
    courseDescription: { type: String, required: true },
    courseThumbnail: { type: String, default: "" },
    thumbnailFile: { type: String, default: "" },
    coursePrice: { type: Number, required: true },
    discount: { type: Number, default: 0 },
    accessDays: { type: Number, default: null },
    isPublished: { type: Boolean, default: true },
    courseContent: [chapterSchema],
    educatorId: { type: String, required: true },
    version: { type: Number, default: 1 },
    totalLectures: { type: Number, default: 0 },
    totalDurationMinutes: { type: Number, default: 0 },
    totalRatings: { type: Number, default: 0 },
    ratingSum: { type: Number, default: 0 },
    totalEnrolledStudents: { type: Number, default: 0 },
    revenueMinor: { type: Number, default: 0 },
    completedPurchases: { type: Number, default: 0 },
    completionsDueAt: Date,
    resourcesChangedAt: Date,
    assessments: { type: [chapterAssessmentSchema], default: undefined },
    rendererVersion: Number,
  },
  { timestamps: true },
);
courseSchema.index({ isPublished: 1, ...inCreationOrder });
courseSchema.index({ educatorId: 1, ...inCreationOrder });
courseSchema.index({ createdAt: -1, _id: -1 }); // the administrators' list, newest first
courseSchema.index({ totalEnrolledStudents: -1, _id: 1 }); // the most popular; covers the sum of all enrollments
courseSchema.index({ revenueMinor: 1 }); // covers the sum of all revenue
courseSchema.index({ completionsDueAt: 1 }, { sparse: true }); // the job that completes courses after an edit
courseSchema.index({ rendererVersion: 1 }, { sparse: true }); // the job that renders texts after an upgrade

const ExportedLecture = z.object({
  lectureId: z.string(),
  lectureTitle: z.string(),
  lectureDuration: z.number(),
  lectureUrl: optional.text,
  isPreviewFree: optional.flag,
  lectureOrder: z.number(),
  blocks: z.array(z.record(z.string(), z.unknown())).optional(),
});

const ExportedChapter = z.object({
  chapterId: z.string(),
  chapterOrder: z.number(),
  chapterTitle: z.string(),
  chapterContent: z.array(ExportedLecture),
  releaseAfterDays: optional.number,
});

export const courseCollection = defineCollection<Course>({
  schema: courseSchema,
  holds: "curriculum, price, version and figures (students, sales, ratings)",
  kept: "for good, because learners have bought it",
  userData: {
    owner: "educatorId",
    section: "coursesTaught",
    batchSize: 10,
    unread: { "courseContent.chapterContent.blocks.html": 0 },
    row: z.object({
      _id: id,
      courseTitle: z.string(),
      courseDescription: z.string(),
      courseThumbnail: optional.text,
      coursePrice: z.number(),
      discount: optional.number,
      accessDays: optional.accessDays,
      isPublished: optional.flag,
      courseContent: z.array(ExportedChapter).optional(),
      ...rowTimes,
    }),
    erasure: { keep: "learners have bought it; the educator's name is gone with the profile" },
  },
});
