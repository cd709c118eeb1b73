import { dayMs } from "../../lib/days.js";
import { failure } from "../../lib/errors.js";
import type { Chapter, Course, Lecture } from "../../models/courses/course.js";
import type { ReleasePlan } from "../../models/courses/course-queries.js";
import type { ActiveEnrollment } from "../../models/enrollments/enrollment-queries.js";
import { CourseLocked } from "../paths/course-lock.js";
import { ResourceNotFound } from "../resources/resources.js";

export const LectureNotOpen = failure("lecture_not_open", 403, "Lecture is not open yet");

type ChapterRules = Pick<Chapter, "releaseAfterDays" | "openIfEnrolledBy">;
type LectureRules = Pick<Lecture, "isPreviewFree" | "openIfEnrolledBy">;

/** When the chapters and lectures of a course open for one learner; null: they are open. */
export type OpensAt = (chapter: ChapterRules, lecture?: LectureRules) => Date | null;

/** Creates the release of one learner. The owner, and learners who have completed the course, see every chapter. */
export function releaseFor(
  { educatorId }: Pick<Course, "educatorId">,
  { userId, enrolledAt: newest, createdAt, courseCompletedAt }: ActiveEnrollment,
  now = new Date(),
): OpensAt {
  if (userId === educatorId || courseCompletedAt) return () => null;
  // Who enrolls again keeps the row of the first enrollment, and does not wait again.
  const enrolledAt = createdAt < newest ? createdAt : newest;
  return (chapter, lecture) => {
    if (lecture?.isPreviewFree) return null;
    const wasOpen = [chapter, lecture].some((rules) => rules?.openIfEnrolledBy && enrolledAt <= rules.openIfEnrolledBy);
    const date = new Date(enrolledAt.getTime() + (chapter.releaseAfterDays ?? 0) * dayMs);
    return wasOpen || date <= now ? null : date;
  };
}

/** Whether a learner may complete a lecture of the course. */
export const isOpen = (lectureId: string, course: ReleasePlan, learner: ActiveEnrollment): boolean =>
  openLectures(course, learner).has(lectureId);

/** Ids of the lectures that a learner may open. Of a locked course they are the free previews. */
export function openLectures(course: ReleasePlan, learner: ActiveEnrollment, isLocked = false): ReadonlySet<string> {
  const opensAt = releaseFor(course, learner);
  const open = course.courseContent.flatMap((chapter) =>
    chapter.chapterContent.filter((lecture) => (isLocked ? lecture.isPreviewFree : !opensAt(chapter, lecture))),
  );
  return new Set(open.map(({ lectureId }) => lectureId));
}

/**
 * Lets a learner download a file that an open lecture names. In a locked course, only free previews are open.
 * @throws CourseLocked, LectureNotOpen, or ResourceNotFound when no lecture names the file.
 */
export function requireOpenFile(
  resourceId: string,
  course: ReleasePlan,
  learner: ActiveEnrollment,
  isLocked: boolean,
): void {
  const opensAt = releaseFor(course, learner);
  const naming = course.courseContent.flatMap((chapter) =>
    chapter.chapterContent
      .filter(({ blocks = [] }) => blocks.some((block) => block.kind === "file" && block.resourceId === resourceId))
      .map((lecture) => ({ isPreviewFree: lecture.isPreviewFree, date: opensAt(chapter, lecture) })),
  );
  if (naming.length === 0) throw ResourceNotFound();
  if (isLocked && !naming.some(({ isPreviewFree }) => isPreviewFree)) throw CourseLocked();
  if (!naming.some(({ date }) => date === null)) throw LectureNotOpen();
}

/** A chapter as a learner sees it. */
export type ReleasedChapter = Chapter & { opensAt?: Date | null };

/** Hides the videos and blocks of closed lectures. Says when chapters open if any chapter of the course has a release. */
export function releasedChapters(chapters: readonly Chapter[], opensAt: OpensAt): readonly ReleasedChapter[] {
  if (!chapters.some(({ releaseAfterDays }) => releaseAfterDays)) return chapters;
  return chapters.map((chapter) => ({
    ...chapter,
    opensAt: opensAt(chapter),
    chapterContent: chapter.chapterContent.map((lecture) => (opensAt(chapter, lecture) ? hide(lecture) : lecture)),
  }));
}

/** A lecture without its video and blocks. */
export function hide({ blocks: _hidden, ...lecture }: Lecture): Lecture {
  return { ...lecture, lectureUrl: "" };
}

/**
 * Keeps open what learners had open before an edit. Whoever enrolled by a certain time has a lecture open now; that
 * time is stored where the new plan would open the lecture to fewer learners.
 * @param stored the chapters before the edit.
 */
export function keepOpen(chapters: readonly Chapter[], stored: readonly Chapter[], now = new Date()): Chapter[] {
  const chapterBefore = new Map(stored.map((chapter) => [chapter.chapterId, chapter]));
  const openBefore = new Map(
    stored.flatMap((chapter) =>
      chapter.chapterContent.map((lecture) => [lecture.lectureId, openUntil(now, chapter, lecture)] as const),
    ),
  );
  return chapters.map((edited) => {
    const before = chapterBefore.get(edited.chapterId);
    const chapter = { ...edited, ...laterThan(openUntil(now, edited), before && openUntil(now, before)) };
    const chapterContent = edited.chapterContent.map((lecture) => ({
      ...lecture,
      ...laterThan(openUntil(now, chapter, lecture), openBefore.get(lecture.lectureId)),
    }));
    return { ...chapter, chapterContent };
  });
}

/** Learners who enrolled by this time have the chapter or the lecture open at `now`. */
function openUntil(now: Date, chapter: ChapterRules, lecture?: LectureRules): number {
  if (lecture?.isPreviewFree) return now.getTime();
  const byDays = now.getTime() - (chapter.releaseAfterDays ?? 0) * dayMs;
  const kept = [chapter, lecture].map((rules) => rules?.openIfEnrolledBy?.getTime() ?? byDays);
  return Math.max(byDays, ...kept);
}

const laterThan = (planned: number, before: number | undefined): Pick<Chapter, "openIfEnrolledBy"> =>
  before !== undefined && before > planned ? { openIfEnrolledBy: new Date(before) } : {};
