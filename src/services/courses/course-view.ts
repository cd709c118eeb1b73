import type { Db } from "../../db/db.js";
import type { Chapter, Course } from "../../models/courses/course.js";
import { type UserCard, userCards } from "../users/user-cards.js";

type Ordered = Pick<Chapter, "chapterOrder" | "chapterContent" | "chapterId" | "chapterTitle">;

/** Chapters and their lectures in order. `hidePaid` empties the URL of every lecture that is not a free preview. */
export function curriculum(chapters: readonly Ordered[], { hidePaid }: { hidePaid: boolean }): Chapter[] {
  return [...chapters]
    .sort((a, b) => a.chapterOrder - b.chapterOrder)
    .map((chapter) => ({
      ...chapter,
      chapterContent: [...chapter.chapterContent]
        .sort((a, b) => a.lectureOrder - b.lectureOrder)
        .map((lecture) => (hidePaid && !lecture.isPreviewFree ? { ...lecture, lectureUrl: "" } : lecture)),
    }));
}

/** Mean of all ratings with one decimal, 0 without any. From the sums, so that it cannot drift from them. */
export function averageRating({ ratingSum, totalRatings }: Pick<Course, "ratingSum" | "totalRatings">): number {
  return totalRatings > 0 ? Math.round((ratingSum * 10) / totalRatings) / 10 : 0;
}

export type CourseDetailView = Omit<Course, "educatorId" | "accessDays"> & {
  accessDays?: number;
  educatorId: UserCard;
  averageRating: number;
};

/** One course, read just now, as its owner (`hidePaid` false) or the public (`hidePaid` true) sees it. */
export async function detailOf(db: Db, course: Course, options: { hidePaid: boolean }): Promise<CourseDetailView> {
  const card = await userCards(db, [course.educatorId]);
  return viewOf(course, curriculum(course.courseContent, options), card(course.educatorId));
}

/** A course with its chapters as they are to be seen, and its educator. */
export function viewOf(
  { accessDays, ...course }: Course,
  courseContent: Chapter[],
  educatorId: UserCard,
): CourseDetailView {
  return {
    ...course,
    ...(accessDays ? { accessDays } : {}),
    averageRating: averageRating(course),
    courseContent,
    educatorId,
  };
}
