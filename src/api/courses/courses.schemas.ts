import { z } from "zod";
import { cursorId, nextCursor, orderedPage } from "../../http/pages.js";
import { text } from "../../lib/fields.js";
import { courseFacts, courseLevels } from "../../models/courses/course.js";
import { browseSorts } from "../../services/browse/browse-query.js";
import { CourseDetail, CourseSummary, courseDetailFields } from "../course-shapes.js";

export const CatalogQuery = z.object({
  q: text(0, 200).optional().meta({ description: "literal, case-insensitive match in title or description" }),
  sort: z.enum(["newest", "price-asc", "price-desc", "rating", "popular"]).optional(),
});

export const CatalogReply = z.object({ courses: z.array(CourseSummary) });
export const CourseReply = z.object({ courseData: CourseDetail });
const structuredData = z
  .record(z.string(), z.unknown())
  .meta({ description: "JSON-LD of schema.org; in a page, write `<` as `\\u003c`" });
export const CourseBySlugReply = z.object({
  courseData: z.object({ ...courseDetailFields, structuredData }).meta({ id: "CourseBySlug" }),
});

/** A value of a field that a filter compares. A form sends an empty one for a field that is not filled in. */
const value = text(0, 100)
  .transform((wanted) => wanted || undefined)
  .optional();

export const BrowseQuery = z.object({
  q: text(0, 200).optional().meta({
    description: "words in any order, whole or begun; one typo is forgiven in words of five letters and more",
  }),
  category: value,
  tag: value,
  level: z.enum(courseLevels).optional(),
  language: value.meta({ description: "BCP 47" }),
  free: z
    .enum(["true", "false"])
    .transform((free) => free === "true")
    .optional()
    .meta({ description: "whether nothing is to pay after the discount" }),
  minRating: z
    .string()
    .regex(/^[0-4](\.\d{1,2})?$|^5(\.0{1,2})?$/)
    .transform(Number)
    .optional()
    .meta({ type: "number", minimum: 0, maximum: 5 }),
  educatorId: z.string().optional(),
  sort: z.enum(browseSorts).default("newest").meta({ description: "`relevance` without words in `q` is `newest`" }),
  ...orderedPage(z.tuple([z.string(), z.number(), z.number(), cursorId]), 50, 20),
});

const { subtitle, category, tags, level, language } = courseFacts;
const BrowsedCourse = z
  .object({ ...CourseSummary.shape, slug: z.string(), subtitle, category, tags, level, language })
  .meta({ id: "BrowsedCourse" });

const FacetValues = z
  .array(z.object({ value: z.string(), count: z.int() }))
  .meta({ id: "FacetValues", description: "the most frequent values; the filter by this field is ignored" });

export const BrowseReply = z.object({
  courses: z.array(BrowsedCourse),
  total: z.int().meta({ description: "courses on all pages" }),
  facets: z.object({ category: FacetValues, tag: FacetValues, level: FacetValues, language: FacetValues }),
  nextCursor,
});
