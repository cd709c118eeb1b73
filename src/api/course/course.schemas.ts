import { z } from "zod";
import { id, objectId, text, timestamp } from "../../http/fields.js";

export const CourseParams = z.object({ id: objectId });

export const CatalogQuery = z.object({
  q: text(0, 200).optional().meta({ description: "literal, case-insensitive match in title or description" }),
  sort: z.enum(["newest", "price-asc", "price-desc", "rating", "popular"]).optional(),
});

export const PersonSummary = z
  .object({ _id: z.string(), name: z.string(), imageUrl: z.string() })
  .meta({ id: "Person", description: "`Deleted user` with an empty image when the account no longer exists" });

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
  educatorId: PersonSummary,
  totalEnrolledStudents: z.number().meta({ description: "number of active enrollments" }),
  createdAt: timestamp,
  updatedAt: timestamp,
};

export const CourseSummary = z.object(summary).meta({ id: "CourseSummary" });

export const LectureView = z
  .object({
    lectureId: z.string(),
    lectureTitle: z.string(),
    lectureDuration: z.number().meta({ description: "minutes" }),
    lectureUrl: z.string().meta({ description: "empty in the public view of a lecture that is not a free preview" }),
    isPreviewFree: z.boolean(),
    lectureOrder: z.number(),
  })
  .meta({ id: "Lecture" });

export const ChapterView = z
  .object({
    chapterId: z.string(),
    chapterOrder: z.number(),
    chapterTitle: z.string(),
    chapterContent: z.array(LectureView),
  })
  .meta({ id: "Chapter" });

export const courseDetailFields = { ...summary, courseContent: z.array(ChapterView) };
export const CourseDetail = z.object(courseDetailFields).meta({ id: "CourseDetail" });

export const CatalogReply = z.object({ courses: z.array(CourseSummary) });
export const CourseReply = z.object({ courseData: CourseDetail });
