import type { Db } from "../../db/db.js";
import { orderedList } from "../../db/ordered-list.js";
import { batchReads } from "../../lib/batch-reads.js";
import { type Chapter, type Course, factNames, inCreationOrder, type Lecture } from "../../models/courses/course.js";
import { findCourses, findCoursesBySlug, type WithEducator } from "../../models/courses/taught-courses.js";
import { type BlockView, viewBlocks } from "../lessons/lecture-blocks.js";
import { educatorOf, type UserCard, userCards } from "../users/user-cards.js";
import { type CourseManager, managedCourses } from "./managed-course.js";
import { hide, type ReleasedChapter } from "./release.js";

type LectureView = Omit<Lecture, "blocks"> & { blocks?: BlockView[] };
type ChapterView = Omit<ReleasedChapter, "chapterContent"> & { chapterContent: LectureView[] };

export type CourseView = Omit<Course, "educatorId" | "accessDays" | "courseContent"> & {
  courseContent: ChapterView[];
  accessDays: number | undefined;
  educatorId: UserCard;
  averageRating: number;
};

/** Finds a course as it is now; undefined when there is none. Concurrent calls share a read: create it once per server. */
export const createCourseFinder = (db: Db) => batchReads((courseIds) => findCourses(db, courseIds));
export type CourseFinder = ReturnType<typeof createCourseFinder>;

/** As createCourseFinder, by a slug of the course that may be a former one. */
export const createSlugFinder = (db: Db) => batchReads((slugs) => findCoursesBySlug(db, slugs));

/** The view of a course with the chapters that its viewer may see. */
export const viewCourse = (course: Course & WithEducator, chapters: readonly ReleasedChapter[]): CourseView =>
  viewOf(course, educatorOf(course), chapters);

/** An educator's courses in creation order, drafts too. */
export function listOwnCourses(db: Db, manager: CourseManager) {
  const fields = {
    courseTitle: 1,
    courseThumbnail: 1,
    coursePrice: 1,
    discount: 1,
    isPublished: 1,
    createdAt: 1,
    totalEnrolledStudents: 1,
    version: 1,
  } as const;
  return orderedList(db.Course, {
    filter: managedCourses(manager),
    fields,
    sort: inCreationOrder,
    describe: (courses) =>
      courses.map((course) => ({ ...course, enrolledStudentsCount: course.totalEnrolledStudents })),
  });
}

/** The view of an educator's own course, which was read just now. */
export async function ownViewOf(db: Db, course: Course): Promise<CourseView> {
  const cardOf = await userCards(db, [course.educatorId]);
  return viewOf(course, cardOf(course.educatorId), course.courseContent);
}

function viewOf(course: Course, educatorId: UserCard, chapters: readonly ReleasedChapter[]): CourseView {
  return withoutUnsetFacts({
    ...course,
    accessDays: course.accessDays ?? undefined,
    averageRating: averageRating(course),
    courseContent: chapters.map(viewChapter),
    educatorId,
  });
}

/** A view without the optional facts that are null. */
export function withoutUnsetFacts<View extends Pick<Course, (typeof factNames)[number]>>(view: View): View {
  for (const name of factNames) if (view[name] === null) delete view[name];
  return view;
}

const viewChapter = (chapter: ReleasedChapter): ChapterView => ({
  ...chapter,
  chapterContent: chapter.chapterContent.map(({ blocks, ...lecture }) =>
    blocks ? { ...lecture, blocks: viewBlocks(blocks) } : lecture,
  ),
});

/** Chapters as the public and learners of a locked course see them: only free previews have their video and blocks. */
export const publicChapters = <C extends Chapter>(chapters: readonly C[]): C[] =>
  chapters.map((chapter) => ({
    ...chapter,
    chapterContent: chapter.chapterContent.map((lecture) => (lecture.isPreviewFree ? lecture : hide(lecture))),
  }));

/** Mean of all ratings with one decimal, 0 without any. It comes from the sums, so that it cannot drift from them. */
export function averageRating({ ratingSum, totalRatings }: Pick<Course, "ratingSum" | "totalRatings">): number {
  return totalRatings > 0 ? Math.round((ratingSum * 10) / totalRatings) / 10 : 0;
}

/** The present slug of a course. A course without slugs is found by its id. */
export const currentSlug = ({ _id, slugs }: Pick<Course, "_id" | "slugs">): string => slugs?.[0] ?? String(_id);
