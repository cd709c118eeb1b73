import { z } from "zod";
import { listReply } from "../../http/list-reply.js";
import { cursorDate, cursorId, newestFirstPage, nextCursor, orderedPage } from "../../http/pages.js";
import { boundedString, id, list, slugText, text, timestamp } from "../../lib/fields.js";
import { formPrice, UserSummary } from "../course-shapes.js";

const coursesOfPath = list(boundedString(24).toLowerCase(), 20, 2)
  .refine((ids) => new Set(ids).size === ids.length, "names a course twice")
  .meta({ description: "different ones of the educator's own, in order" });

const subtitle = text(0, 160).transform((value) => value || null);

const fields = {
  title: text(1, 80),
  subtitle: subtitle.nullable(),
  description: text(0, 20_000).meta({ description: "Markdown" }),
  courseIds: coursesOfPath,
  inOrder: z.boolean().meta({ description: "whether the courses open one after another" }),
  price: formPrice.nullable().meta({ description: "major unit; null: not for sale" }),
  isPublished: z.boolean(),
};

export const NewPathBody = z.object({
  ...fields,
  subtitle: fields.subtitle.default(null),
  description: fields.description.default(""),
  inOrder: fields.inOrder.default(false),
  price: fields.price.default(null),
  isPublished: fields.isPublished.default(false),
});

/** Any of the fields, and the version that the educator read. */
export const PathChanges = z.object({
  ...z.object({ ...fields, slug: slugText }).partial().shape,
  version: z.int().min(0),
});

export const PathsQuery = z.object({
  q: text(0, 200).optional().meta({ description: "literal, case-insensitive match in title or subtitle" }),
  educatorId: z.string().optional(),
  ...orderedPage(z.tuple([cursorDate, cursorId]), 50, 20),
});
export const ManagedPathsQuery = z.object(newestFirstPage);

const CourseOfPath = z
  .object({
    _id: id,
    courseTitle: z.string(),
    courseThumbnail: z.string(),
    coursePrice: z.number().meta({ description: "major unit of the platform's currency" }),
    discount: z.number().meta({ description: "percent, 0 to 100" }),
    averageRating: z.number(),
    totalLectures: z.number(),
    totalDurationMinutes: z.number(),
  })
  .meta({ id: "CourseOfPath" });

const path = {
  _id: id,
  slug: z.string(),
  title: z.string(),
  subtitle: z.string().nullable(),
  description: z.string().meta({ description: "Markdown" }),
  educatorId: UserSummary,
  courses: z.array(CourseOfPath).meta({ description: "in order" }),
  inOrder: fields.inOrder,
  price: z.number().nullable().meta({ description: "major unit; null: not for sale" }),
  listPrice: z.number().meta({ description: "what its courses cost alone now, after their discounts" }),
  learners: z.int().meta({ description: "number of people who hold it now" }),
  isPublished: z.boolean(),
  version: z.int(),
  createdAt: timestamp,
  updatedAt: timestamp,
};
const PathView = z.object(path).meta({ id: "Path" });

const ManagedPath = z
  .object({
    ...path,
    revenue: z.number().meta({ description: "major unit; completed purchases" }),
    purchases: z.int().meta({ description: "number of completed purchases" }),
  })
  .meta({ id: "ManagedPath" });

export const PathReply = z.object({ path: PathView });
export const PathsReply = listReply("paths", PathView, nextCursor);
export const ManagedPathsReply = listReply("paths", ManagedPath, nextCursor);
