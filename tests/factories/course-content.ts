import type { Chapter } from "../../src/models/courses/course.js";

/** Builds `chapters` × `lectures` with ids `ch1`… and `ch1-l1`…. The first lecture is a free preview. */
export function buildChapters(chapters = 2, lectures = 3): Chapter[] {
  return Array.from({ length: chapters }, (_c, c) => ({
    chapterId: `ch${c + 1}`,
    chapterOrder: c + 1,
    chapterTitle: `Chapter ${c + 1}`,
    chapterContent: Array.from({ length: lectures }, (_l, l) => ({
      lectureId: `ch${c + 1}-l${l + 1}`,
      lectureTitle: `Lecture ${c + 1}.${l + 1}`,
      lectureDuration: 10,
      lectureUrl: `https://video.example/ch${c + 1}-l${l + 1}`,
      isPreviewFree: c === 0 && l === 0,
      lectureOrder: l + 1,
    })),
  }));
}
