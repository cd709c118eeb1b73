import type { Db } from "../../db/db.js";
import { batchReads } from "../../lib/batch-reads.js";
import type { Chapter, Course } from "../../models/courses/course.js";
import { findCourses } from "../../models/courses/course-queries.js";
import { educatorOf, type UserCard, userCards } from "../users/user-cards.js";

/** `hidePaid` leaves only the URLs of free previews, for the public. */
interface ViewOptions {
  readonly hidePaid: boolean;
}

export type CourseDetailView = Omit<Course, "educatorId" | "accessDays"> & {
  accessDays: number | undefined;
  educatorId: UserCard;
  averageRating: number;
};

/** Reads one course as it is now. @returns null when there is none. */
export type ReadCourse = (courseId: string, options: ViewOptions) => Promise<CourseDetailView | null>;

/** Concurrent requests share reads, so the reader is created once per server. */
export function createCourseReader(db: Db): ReadCourse {
  const findCourse = batchReads((courseIds) => findCourses(db, courseIds));
  return async (courseId, options) => {
    const course = await findCourse(courseId);
    return course ? viewOf(course, educatorOf(course), options) : null;
  };
}

/** The view of a course that was read just now. */
export async function detailOf(db: Db, course: Course, options: ViewOptions): Promise<CourseDetailView> {
  const cardOf = await userCards(db, [course.educatorId]);
  return viewOf(course, cardOf(course.educatorId), options);
}

function viewOf(course: Course, educatorId: UserCard, { hidePaid }: ViewOptions): CourseDetailView {
  return {
    ...course,
    accessDays: course.accessDays ?? undefined,
    averageRating: averageRating(course),
    courseContent: hidePaid ? course.courseContent.map(hidePaidUrls) : course.courseContent,
    educatorId,
  };
}

const hidePaidUrls = (chapter: Chapter): Chapter => ({
  ...chapter,
  chapterContent: chapter.chapterContent.map((lecture) => {
    return lecture.isPreviewFree ? lecture : { ...lecture, lectureUrl: "" };
  }),
});

/** Mean of all ratings with one decimal, 0 without any. It comes from the sums, so that it cannot drift from them. */
export function averageRating({ ratingSum, totalRatings }: Pick<Course, "ratingSum" | "totalRatings">): number {
  return totalRatings > 0 ? Math.round((ratingSum * 10) / totalRatings) / 10 : 0;
}
