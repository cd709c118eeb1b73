import { InvalidRequest } from "../../lib/errors.js";
import type { Chapter, Course, Lecture } from "../../models/courses/course.js";

export type Curriculum = Pick<Course, "courseContent" | "totalLectures" | "totalDurationMinutes">;

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

/**
 * Fills in the stored address of each known lecture that an edit sent without one.
 * @throws InvalidRequest for a new lecture without an address.
 */
export function keepLectureUrls(chapters: readonly Chapter[], stored: readonly Chapter[]): Chapter[] {
  const known = new Map(lecturesOf(stored).map(({ lectureId, lectureUrl }) => [lectureId, lectureUrl]));
  return chapters.map((chapter) => ({
    ...chapter,
    chapterContent: chapter.chapterContent.map((lecture) => {
      const lectureUrl = lecture.lectureUrl || known.get(lecture.lectureId);
      if (!lectureUrl) throw InvalidRequest();
      return { ...lecture, lectureUrl };
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
