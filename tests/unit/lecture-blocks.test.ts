import { expect, test } from "vitest";
import type { Chapter } from "../../src/models/courses/course.js";
import { requireFittingBlocks } from "../../src/services/lessons/lecture-blocks.js";

/** A course of about `kilobytes` without its texts, as several edits can make it. */
function courseOf(kilobytes: number): Chapter[] {
  const blocks = Array.from({ length: kilobytes }, () => ({
    kind: "video" as const,
    url: `https://films.example/${"x".repeat(1_000)}`,
  }));
  const lecture = { lectureId: "l1", lectureTitle: "A", lectureDuration: 1, lectureUrl: "", lectureOrder: 1 };
  const chapterContent = [{ ...lecture, isPreviewFree: false, blocks }];
  return [{ chapterId: "ch1", chapterTitle: "A", chapterOrder: 1, chapterContent }];
}

test("a course without its texts has 4 MiB at most, so that it fits into one document", () => {
  expect(() => requireFittingBlocks(courseOf(3_500))).not.toThrow();
  expect(() => requireFittingBlocks(courseOf(4_500))).toThrow(expect.objectContaining({ id: "body_too_large" }));
});
