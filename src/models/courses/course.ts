import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { exportedRow, objectIdField, rowTimes, withDefault } from "../row.js";
import type { LectureBlock } from "./lecture-block.js";

export type Lecture = z.input<typeof lectureRow>;
const lectureRow = z.object({
  lectureId: z.string(),
  lectureTitle: z.string(),
  /** Minutes. */
  lectureDuration: z.number(),
  lectureUrl: withDefault(z.string(), ""),
  isPreviewFree: withDefault(z.boolean(), false),
  lectureOrder: z.number(),
  /** In order; absent without any. */
  blocks: z.array(z.custom<LectureBlock>()).exactOptional(),
  /** Learners who enrolled by then had the lecture open before it moved to a chapter that opens later. */
  openIfEnrolledBy: timestamp.exactOptional(),
});

export type Chapter = z.input<typeof chapterRow>;
const chapterRow = z.object({
  chapterId: z.string(),
  chapterOrder: z.number(),
  chapterTitle: z.string(),
  chapterContent: z.array(lectureRow),
  /** Days after the enrollment until the chapter opens; absent: at once. */
  releaseAfterDays: z.number().exactOptional(),
  /** Learners who enrolled by then had the chapter open before an edit raised the days. */
  openIfEnrolledBy: timestamp.exactOptional(),
});

/** An assessment that replaces the quiz of a chapter. */
export type ChapterAssessment = z.input<typeof chapterAssessmentRow>;
const chapterAssessmentRow = z.object({
  chapterId: z.string(),
  assessmentId: objectIdField,
  /** Percent that completes the course; null: the course completes without it. */
  requiredPercent: z.number().nullable(),
});

export const courseLevels = ["beginner", "intermediate", "advanced", "all"] as const;

const optionalField = <T extends z.ZodType>(field: T) => field.nullable().exactOptional();

/** Optional facts of a course. The row, the export and the course detail take them from here. null or absent: not set. */
export const courseFacts = {
  subtitle: optionalField(z.string()),
  category: optionalField(z.string()),
  tags: optionalField(z.array(z.string())),
  level: optionalField(z.enum(courseLevels)),
  language: optionalField(z.string().meta({ description: "BCP 47" })),
  outcomes: optionalField(z.array(z.string())),
  requirements: optionalField(z.array(z.string())),
};

export const factNames = Object.keys(courseFacts) as (keyof typeof courseFacts)[];

export type Course = z.input<typeof courseRow>;
const courseRow = z.object({
  _id: objectIdField,
  courseTitle: z.string(),
  /** Markdown. */
  courseDescription: z.string(),
  courseThumbnail: withDefault(z.string(), ""),
  /** Name of the thumbnail in the media storage; empty when it is not there. */
  thumbnailFile: withDefault(z.string(), ""),
  /** In the major unit of the platform's currency, with at most the decimals of that currency. */
  coursePrice: z.number(),
  /** Percent, 0 to 100. */
  discount: withDefault(z.number(), 0),
  /** Days of access after a purchase; null or missing: for good. */
  accessDays: withDefault(z.number().nullable().exactOptional().meta({ description: "null: for good" }), null),
  isPublished: withDefault(z.boolean(), true),
  ...courseFacts,
  /** In order, lectures too. */
  courseContent: z.array(chapterRow),
  /** User id. */
  educatorId: z.string(),
  /** The present slug first, then former ones, which stay reserved. Absent in rows of a version without slugs. */
  slugs: z.array(z.string()).exactOptional(),
  /** Raised by every edit and every publish, by nothing else. */
  version: withDefault(z.number(), 1),
  totalLectures: withDefault(z.number(), 0),
  totalDurationMinutes: withDefault(z.number(), 0),
  /** Number and sum of all ratings; their mean is computed where it is shown (services/courses/course-view.ts). */
  totalRatings: withDefault(z.number(), 0),
  ratingSum: withDefault(z.number(), 0),
  /** Numbers of ratings by their stars. A row of a former version lacks them until a migration. */
  ratings1: withDefault(z.number(), 0),
  ratings2: withDefault(z.number(), 0),
  ratings3: withDefault(z.number(), 0),
  ratings4: withDefault(z.number(), 0),
  ratings5: withDefault(z.number(), 0),
  /** Number of active enrollments. */
  totalEnrolledStudents: withDefault(z.number(), 0),
  /** Minor units over completed purchases, and their number. */
  revenueMinor: withDefault(z.number(), 0),
  completedPurchases: withDefault(z.number(), 0),
  /** Unused. Servers of version 1.0, which run beside this one during an upgrade, need it in each row. */
  figuresChangedAt: withDefault(timestamp, new Date(0)),
  /** When learners who have completed every lecture are looked for; absent unless an edit has removed a lecture. */
  completionsDueAt: timestamp.exactOptional(),
  /** When a resource was last added or removed. Transactions write it to exclude each other. */
  resourcesChangedAt: timestamp.exactOptional(),
  /** Written by services/assessments; absent without any. */
  assessments: z.array(chapterAssessmentRow).exactOptional(),
  /** The renderer that made the HTML of the texts; absent without texts. 0: the job renders them. */
  rendererVersion: z.number().exactOptional(),
  ...rowTimes,
});

/** Not by id alone: an id is given before the thumbnail is uploaded, and by each instance on its own. */
export const inCreationOrder = { createdAt: 1, _id: 1 } as const;

const exportedLecture = exportedRow(
  lectureRow,
  ["lectureId", "lectureTitle", "lectureDuration", "lectureUrl", "isPreviewFree", "lectureOrder", "blocks"],
  { blocks: z.array(z.record(z.string(), z.unknown())).optional() },
);
const exportedChapter = exportedRow(
  chapterRow,
  ["chapterId", "chapterOrder", "chapterTitle", "chapterContent", "releaseAfterDays"],
  { chapterContent: z.array(exportedLecture) },
);

export const courseCollection = defineCollection({
  row: courseRow,
  indexes: [
    [{ isPublished: 1, ...inCreationOrder }],
    [{ educatorId: 1, ...inCreationOrder }],
    [{ slugs: 1 }, { unique: true, sparse: true }],
    [{ createdAt: -1, _id: -1 }], // the administrators' list, newest first
    [{ totalEnrolledStudents: -1, _id: 1 }], // the most popular; covers the sum of all enrollments
    [{ revenueMinor: 1 }], // covers the sum of all revenue
    [{ completionsDueAt: 1 }, { sparse: true }], // the job that completes courses after an edit
    [{ rendererVersion: 1 }, { sparse: true }], // the job that renders texts after an upgrade
  ],
  holds: "curriculum, price, version and figures (students, sales, ratings)",
  kept: "for good, because learners have bought it",
  userData: {
    owner: "educatorId",
    section: "coursesTaught",
    batchSize: 10,
    unread: { "courseContent.chapterContent.blocks.html": 0 },
    exported: [
      "_id",
      "courseTitle",
      "courseDescription",
      "courseThumbnail",
      "coursePrice",
      "discount",
      "accessDays",
      "isPublished",
      ...factNames,
      "slugs",
      "courseContent",
      "createdAt",
      "updatedAt",
    ],
    exportedAs: {
      courseContent: z.array(exportedChapter).optional(),
    },
    erasure: { keep: "learners have bought it; the educator's name is gone with the profile" },
  },
});
