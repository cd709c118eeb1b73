import { BrokenRule } from "../../lib/errors.js";
import type { Chapter, Course, Lecture } from "../../models/courses/course.js";
import type { LectureBlock } from "../../models/courses/lecture-block.js";

type Curriculum = Pick<Course, "courseContent" | "totalLectures" | "totalDurationMinutes">;

/** Sorts chapters and lectures by their order (stable), numbers them from 1 and computes the totals. */
export function arrangeCurriculum(chapters: readonly Chapter[]): Curriculum {
  const courseContent = [...chapters]
    .sort((a, b) => a.chapterOrder - b.chapterOrder)
    .map((chapter, index) => ({
      ...chapter,
      chapterOrder: index + 1,
      chapterContent: [...chapter.chapterContent]
        .sort((a, b) => a.lectureOrder - b.lectureOrder)
        .map((lecture, position) => ({ ...lecture, lectureOrder: position + 1 })),
    }));
  const lectures = lecturesOf(courseContent);
  const minutes = lectures.reduce((sum, { lectureDuration }) => sum + lectureDuration, 0);
  // Twelve digits, so that 0.1 + 0.2 minutes are 0.3.
  return { courseContent, totalLectures: lectures.length, totalDurationMinutes: Number(minutes.toPrecision(12)) };
}

/** A lecture as a form sends it. */
type LectureForm = Omit<Lecture, "lectureUrl" | "blocks"> & {
  lectureUrl?: string | undefined;
  blocks?: LectureBlock[] | undefined;
};

/** A chapter as a form sends it. */
export type ChapterForm = Pick<Chapter, "chapterId" | "chapterOrder" | "chapterTitle"> & {
  releaseAfterDays: number | null;
  chapterContent: LectureForm[];
};

/**
 * Completes the lectures of a form. A known lecture keeps its stored blocks if the form has none for it, and its stored
 * address if the form has none. An empty address of a lecture with blocks removes the video.
 * @param stored the chapters before an edit. @throws InvalidRequest for a lecture with neither an address nor blocks.
 */
export function completeLectures(chapters: readonly ChapterForm[], stored: readonly Chapter[] = []): Chapter[] {
  const known = new Map(lecturesOf(stored).map((lecture) => [lecture.lectureId, lecture]));
  return chapters.map(({ releaseAfterDays, ...chapter }) => ({
    ...chapter,
    ...(releaseAfterDays === null ? {} : { releaseAfterDays }),
    chapterContent: chapter.chapterContent.map((lecture) => {
      const { blocks: sent, lectureUrl: address, ...fields } = lecture;
      const before = known.get(lecture.lectureId);
      const blocks = sent ?? before?.blocks ?? [];
      const removesVideo = address === "" && blocks.length > 0;
      const lectureUrl = removesVideo ? "" : address || before?.lectureUrl || "";
      if (lectureUrl === "" && blocks.length === 0) {
        throw BrokenRule("courseContent: a lecture needs lectureUrl or blocks");
      }
      return { ...fields, lectureUrl, ...(blocks.length > 0 ? { blocks } : {}) };
    }),
  }));
}

/** Whether a lecture of the first curriculum is missing in the second one. */
export function removesLecture(before: readonly Chapter[], after: readonly Chapter[]): boolean {
  const kept = new Set(lecturesOf(after).map(({ lectureId }) => lectureId));
  return lecturesOf(before).some(({ lectureId }) => !kept.has(lectureId));
}

/** Ids of the lectures of the second curriculum that the first one has not. */
export function addedLectures(before: readonly Chapter[], after: readonly Chapter[]): string[] {
  const known = new Set(lecturesOf(before).map(({ lectureId }) => lectureId));
  return lecturesOf(after).flatMap(({ lectureId }) => (known.has(lectureId) ? [] : [lectureId]));
}

const lecturesOf = (chapters: readonly Chapter[]): Lecture[] =>
  chapters.flatMap(({ chapterContent }) => chapterContent);
