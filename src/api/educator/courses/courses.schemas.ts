import { z } from "zod";
import { listReply } from "../../../http/list-reply.js";
import { byDateOrAll, nextCursorOfPage } from "../../../http/pages.js";
import { id, list, slugText, text, timestamp, webAddress } from "../../../lib/fields.js";
import { languageTag } from "../../../lib/language-tag.js";
import { courseLevels } from "../../../models/courses/course.js";
import { courseDetailFields, formPrice, OwnChapter } from "../../course-shapes.js";
import { BlocksData } from "../../lecture-blocks.js";

export const PublishBody = z.object({ isPublished: z.boolean() });
export const PublishReply = z.object({ isPublished: z.boolean(), version: z.int() });

export const CourseAddedReply = z.object({ message: z.literal("Course Added Succesfully"), courseId: id });

const OwnCourseDetail = z
  .object({ ...courseDetailFields, courseContent: z.array(OwnChapter), slug: z.string(), version: z.int() })
  .meta({ id: "OwnCourseDetail", description: "with every lecture's address" });
export const OwnCourseReply = z.object({ course: OwnCourseDetail });

const OwnCourse = z
  .object({
    _id: id,
    courseTitle: z.string(),
    courseThumbnail: z.string(),
    coursePrice: z.number(),
    discount: z.number(),
    isPublished: z.boolean(),
    createdAt: timestamp,
    enrolledStudentsCount: z.number().meta({ description: "number of active enrollments" }),
    version: z.int(),
  })
  .meta({ id: "OwnCourse" });
export const OwnCoursesQuery = z.object(byDateOrAll);
export const OwnCoursesReply = listReply("courses", OwnCourse, nextCursorOfPage);

/** Accepts decimal numbers as text, because a form sends text. */
const numeric = <S extends z.ZodType<number, number>>(schema: S) =>
  z.preprocess((value) => {
    if (typeof value !== "string") return value;
    const trimmed = value.trim();
    return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : value;
  }, schema);

const price = numeric(formPrice).meta({
  description: "major unit; rounded if the currency has two decimals, otherwise refused with too many decimals",
});

/** May be absent or empty, because an edit keeps the stored address of an existing lecture. */
const lectureUrl = webAddress(2_048, { mayBeEmpty: true })
  .optional()
  .meta({
    description:
      "http or https, without user information; absent in an edit: the existing lecture keeps its address; empty: " +
      "the same, or no video if the lecture has blocks after the edit",
  });

const LectureData = z.object({
  lectureId: text(1, 64),
  lectureTitle: text(1, 200),
  lectureDuration: numeric(z.number().positive().max(1_440)).meta({ description: "minutes" }),
  lectureUrl,
  isPreviewFree: z.boolean(),
  lectureOrder: numeric(z.int()),
  blocks: BlocksData,
});

const ChapterData = z.object({
  chapterId: text(1, 64),
  chapterTitle: text(1, 200),
  chapterOrder: numeric(z.int()),
  chapterContent: list(LectureData, 200),
  releaseAfterDays: numeric(z.int().min(0).max(3_650))
    .nullable()
    .default(null)
    .meta({ description: "days after the enrollment until the lectures open; null: at once" }),
});

const unique = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;

const courseContent = list(ChapterData, 100)
  .refine((chapters) => unique(chapters.map(({ chapterId }) => chapterId)))
  .refine((chapters) => unique(chapters.flatMap((chapter) => chapter.chapterContent.map(({ lectureId }) => lectureId))))
  .meta({ description: "chapter ids, and lecture ids over the whole course, are unique; order numbers may have gaps" });

/** Keeps the first of texts that differ in letter case only. */
function withoutRepetitions(texts: readonly string[]): string[] {
  const keys = texts.map((one) => one.toLowerCase());
  return texts.filter((_, at) => keys.indexOf(keys[at] ?? "") === at);
}

const fields = {
  courseTitle: text(1, 80),
  courseDescription: text(1, 20_000).meta({ description: "Markdown" }),
  coursePrice: price,
  discount: numeric(z.number().min(0).max(100)).meta({ description: "percent" }),
  accessDays: numeric(z.int().min(1).max(3_650))
    .nullable()
    .meta({ description: "days of access after a purchase; null: for good" }),
  courseContent,
  subtitle: text(0, 160)
    .transform((subtitle) => subtitle || null)
    .nullable()
    .exactOptional(),
  category: text(1, 60).nullable().exactOptional(),
  tags: list(text(1, 30), 10).transform(withoutRepetitions).nullable().exactOptional(),
  level: z.enum(courseLevels).nullable().exactOptional(),
  language: languageTag(35).nullable().exactOptional(),
  outcomes: list(text(1, 160), 12).nullable().exactOptional(),
  requirements: list(text(1, 160), 12).nullable().exactOptional(),
};

const jsonText = z.string().transform((value, context): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    context.addIssue({ code: "custom", message: "not JSON" });
    return z.NEVER;
  }
});

/** The fields of a new course. */
const NewCourseData = z
  .object({ ...fields, accessDays: fields.accessDays.default(null), isPublished: z.boolean().default(true) })
  .refine((course) =>
    course.courseContent.every(({ chapterContent }) =>
      chapterContent.every(({ lectureUrl, blocks = [] }) => lectureUrl || blocks.length > 0),
    ),
  );

/** The form of a new course. course-form.ts has read the file. */
export const NewCourseForm = z.object({
  courseData: jsonText
    .pipe(NewCourseData)
    .meta({ type: "string", description: "JSON text of the course, up to 1 MiB beside texts of 2 MiB" }),
  image: z
    .unknown()
    .optional()
    .meta({ type: "string", format: "binary", description: "required: JPEG, PNG or WebP, up to 5 MiB" }),
});

/** Any of the fields, and the version that the educator read. */
export const CourseChanges = z.object({
  ...z.object({ ...fields, isPublished: z.boolean(), slug: slugText }).partial().shape,
  version: numeric(z.int().min(0)),
});
