import { z } from "zod";
import { id, objectId, timestamp } from "../../http/fields.js";
import { cursorDate, cursorId, nextCursor, pageQuery } from "../../http/pages.js";
import { courseDetailFields } from "../course-shapes.js";

export const CourseParams = z.object({ id: objectId });

export const PublishBody = z.object({ isPublished: z.boolean() });
export const PublishReply = z.object({ isPublished: z.boolean(), version: z.int() });

export const CourseAddedReply = z.object({ message: z.literal("Course Added Succesfully"), courseId: id });

const OwnCourseDetail = z
  .object({ ...courseDetailFields, version: z.int() })
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
export const OwnCoursesQuery = z.object(pageQuery(z.tuple([cursorDate, cursorId])));
export const OwnCoursesReply = z.object({ courses: z.array(OwnCourse), nextCursor });
