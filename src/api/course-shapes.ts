import { z } from "zod";
import { id, timestamp } from "../lib/fields.js";
import { courseFacts } from "../models/courses/course.js";
import { BlocksView } from "./lecture-blocks.js";

export const UserSummary = z.object({ _id: z.string(), name: z.string(), imageUrl: z.string() }).meta({
  id: "UserSummary",
  description:
    "`Deleted user` with an empty image when the account no longer exists. `educatorId` of a course holds this object, not an id",
});

const summary = {
  _id: id,
  courseTitle: z.string(),
  courseDescription: z.string().meta({ description: "Markdown" }),
  courseThumbnail: z.string(),
  coursePrice: z.number().meta({ description: "major unit of the platform's currency" }),
  isPublished: z.boolean(),
  discount: z.number().meta({ description: "percent, 0 to 100" }),
  averageRating: z.number(),
  totalRatings: z.number(),
  totalLectures: z.number(),
  totalDurationMinutes: z.number(),
  educatorId: UserSummary,
  totalEnrolledStudents: z.number().meta({ description: "number of active enrollments" }),
  createdAt: timestamp,
  updatedAt: timestamp,
};

/** A course as lists show it. Shared by every group that answers with courses. */
export const CourseSummary = z.object(summary).meta({ id: "CourseSummary" });

const LectureView = z
  .object({
    lectureId: z.string(),
    lectureTitle: z.string(),
    lectureDuration: z.number().meta({ description: "minutes" }),
    lectureUrl: z.string().meta({ description: "empty in the public view of a lecture that is not a free preview" }),
    isPreviewFree: z.boolean(),
    lectureOrder: z.number(),
    blocks: BlocksView,
  })
  .meta({ id: "Lecture" });

const chapter = {
  chapterId: z.string(),
  chapterOrder: z.number(),
  chapterTitle: z.string(),
  chapterContent: z.array(LectureView),
};
const ChapterView = z.object(chapter).meta({ id: "Chapter" });

const releaseAfterDays = z
  .int()
  .optional()
  .meta({ description: "days after the enrollment until the lectures open; absent: at once" });
/** A chapter as its educator sees it. */
export const OwnChapter = z.object({ ...chapter, releaseAfterDays }).meta({ id: "OwnChapter" });

const opensAt = timestamp
  .nullable()
  .optional()
  .meta({ description: "null: the chapter is open; absent where no chapter of the course opens later" });
/** A chapter as a learner of the course sees it. */
export const PlayerChapter = z
  .object({ ...chapter, hasAssessment: z.boolean(), opensAt })
  .meta({ id: "PlayerChapter" });

/** Fields of a course with its curriculum, for replies that add some of their own. */
const accessDays = z.number().optional().meta({ description: "days of access after a purchase; absent: for good" });
export const courseDetailFields = { ...summary, ...courseFacts, courseContent: z.array(ChapterView), accessDays };
export const CourseDetail = z.object(courseDetailFields).meta({ id: "CourseDetail" });

/** A price in a form, in the major unit. Numbers that are written with an exponent are far below a hundredth. */
export const formPrice = z
  .number()
  .min(0)
  .max(10_000_000)
  .transform((value) => (value < 1e-6 ? 0 : value));
