import { z } from "zod";
import { objectId, text } from "../../lib/fields.js";
import { CourseDetail, CourseSummary } from "../course-shapes.js";

export const CourseParams = z.object({ id: objectId });

export const CatalogQuery = z.object({
  q: text(0, 200).optional().meta({ description: "literal, case-insensitive match in title or description" }),
  sort: z.enum(["newest", "price-asc", "price-desc", "rating", "popular"]).optional(),
});

export const CatalogReply = z.object({ courses: z.array(CourseSummary) });
export const CourseReply = z.object({ courseData: CourseDetail });
