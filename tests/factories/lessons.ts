import type { Chapter } from "../../src/models/courses/course.js";

/** Builds one chapter of lectures without videos from their titles and Markdown texts. */
export const buildLessons = (chapterTitle: string, texts: Readonly<Record<string, readonly string[]>>): Chapter => ({
  chapterId: chapterTitle.toLowerCase(),
  chapterOrder: 1,
  chapterTitle,
  chapterContent: Object.entries(texts).map(([lectureTitle, markdown], position) => ({
    lectureId: `${chapterTitle.toLowerCase()}-${position + 1}`,
    lectureTitle,
    lectureDuration: 5,
    lectureUrl: "",
    isPreviewFree: false,
    lectureOrder: position + 1,
    ...(markdown.length > 0 && { blocks: markdown.map((text) => ({ kind: "text" as const, text })) }),
  })),
});
