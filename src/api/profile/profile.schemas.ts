import { z } from "zod";
import { id, timestamp } from "../../lib/fields.js";
import { courseDetailFields, PlayerChapter, UserSummary } from "../course-shapes.js";

const expiresAt = timestamp.optional().meta({ description: "when access ends; absent: never" });
const lockedBy = z
  .object({ pathId: id, courseId: id, courseTitle: z.string() })
  .optional()
  .meta({ description: "the course of a path to complete first, while the course is locked; absent: it is open" });
const userRating = z.number().int().nullable().meta({ description: "the caller's rating, 1 to 5; null when unrated" });

export const UserReply = z.object({
  user: z
    .object({
      _id: z.string(),
      name: z.string(),
      email: z.string(),
      imageUrl: z.string(),
      enrolledCourses: z.array(id).meta({ description: "course ids, oldest enrollment first" }),
    })
    .meta({ id: "User" }),
});

export const EnrolledCoursesReply = z.object({
  enrolledCourses: z.array(
    z
      .object({
        _id: id,
        title: z.string(),
        thumbnail: z.string(),
        price: z.number(),
        educator: UserSummary,
        totalLectures: z.number(),
        totalDurationMinutes: z.number(),
        userRating,
        expiresAt,
      })
      .meta({ id: "EnrolledCourse" }),
  ),
});

export const PlayerReply = z.object({
  courseData: z
    .object({ ...courseDetailFields, courseContent: z.array(PlayerChapter), userRating, expiresAt, lockedBy })
    .meta({ id: "PlayerCourse" }),
  userRating,
});

export const ContinueReply = z.object({
  courses: z.array(
    z
      .object({
        courseId: id,
        courseTitle: z.string(),
        courseThumbnail: z.string(),
        lastLectureId: z.string(),
        positionSeconds: z.number().meta({ description: "seconds into the last lecture" }),
        percent: z
          .number()
          .int()
          .meta({ description: "percentage of the course's current lectures that are completed" }),
        lastActivityAt: timestamp,
      })
      .meta({ id: "CourseToContinue" }),
  ),
});
