import type { Db } from "../../db/db.js";
import { batchReads } from "../../lib/batch-reads.js";
import type { Chapter, Course, Lecture } from "../../models/courses/course.js";
import { findCourses } from "../../models/courses/course-queries.js";
import { educatorOf, type UserCard, userCards } from "../users/user-cards.js";
import { type BlockView, renderBlocks } from "./lecture-blocks.js";
import { createMarkdownRenderer, type RenderMarkdown } from "./render-markdown.js";

/** `hidePaid` leaves only the URLs and blocks of free previews, for the public. */
interface ViewOptions {
  readonly hidePaid: boolean;
}

type LectureView = Omit<Lecture, "blocks"> & { blocks?: BlockView[] };
type ChapterView = Omit<Chapter, "chapterContent"> & { chapterContent: LectureView[] };

export type CourseDetailView = Omit<Course, "educatorId" | "accessDays" | "courseContent"> & {
  courseContent: ChapterView[];
  accessDays: number | undefined;
  educatorId: UserCard;
  averageRating: number;
};

/** Reads one course as it is now. @returns null when there is none. */
export type ReadCourse = (courseId: string, options: ViewOptions) => Promise<CourseDetailView | null>;

/** Concurrent requests share reads, so the reader is created once per server. */
export function createCourseReader(db: Db): ReadCourse {
  const render = createMarkdownRenderer();
  const findCourse = batchReads((courseIds) => findCourses(db, courseIds));
  return async (courseId, options) => {
    const course = await findCourse(courseId);
    return course ? viewOf(course, educatorOf(course), { ...options, render }) : null;
  };
}

/** The view of a course that was read just now. */
export async function detailOf(db: Db, course: Course, options: ViewOptions & Rendering): Promise<CourseDetailView> {
  const cardOf = await userCards(db, [course.educatorId]);
  return viewOf(course, cardOf(course.educatorId), options);
}

interface Rendering {
  readonly render: RenderMarkdown;
}

async function viewOf(
  course: Course,
  educatorId: UserCard,
  { hidePaid, render }: ViewOptions & Rendering,
): Promise<CourseDetailView> {
  const shown = hidePaid ? course.courseContent.map(hidePaidContent) : course.courseContent;
  return {
    ...course,
    accessDays: course.accessDays ?? undefined,
    averageRating: averageRating(course),
    courseContent: await renderTexts(shown, render),
    educatorId,
  };
}

/** Adds the HTML of every text. */
async function renderTexts(chapters: readonly Chapter[], render: RenderMarkdown): Promise<ChapterView[]> {
  return Promise.all(
    chapters.map(async (chapter) => ({
      ...chapter,
      chapterContent: await Promise.all(
        chapter.chapterContent.map(async ({ blocks, ...lecture }) =>
          blocks ? { ...lecture, blocks: await renderBlocks(blocks, render) } : lecture,
        ),
      ),
    })),
  );
}

const hidePaidContent = (chapter: Chapter): Chapter => ({
  ...chapter,
  chapterContent: chapter.chapterContent.map((lecture) => {
    if (lecture.isPreviewFree) return lecture;
    const { blocks: _hidden, ...shown } = lecture;
    return { ...shown, lectureUrl: "" };
  }),
});

/** Mean of all ratings with one decimal, 0 without any. It comes from the sums, so that it cannot drift from them. */
export function averageRating({ ratingSum, totalRatings }: Pick<Course, "ratingSum" | "totalRatings">): number {
  return totalRatings > 0 ? Math.round((ratingSum * 10) / totalRatings) / 10 : 0;
}
