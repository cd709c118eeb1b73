import fc from "fast-check";
import { expect, test } from "vitest";
import type { Chapter } from "../../src/models/courses/course.js";
import { keepOpen, releaseFor } from "../../src/services/courses/release.js";

const dayMs = 86_400_000;
const course = { educatorId: "user_educator" };

interface Plan {
  /** Days that pass before the edit. */
  readonly after: number;
  /** Days of each of two chapters. */
  readonly days: readonly [number | undefined, number | undefined];
  /** The chapter of each of three lectures, and whether it is a free preview. */
  readonly lectures: readonly (readonly [number, boolean])[];
}

const days = fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined });
const plan: fc.Arbitrary<Plan> = fc.record({
  after: fc.integer({ min: 0, max: 30 }),
  days: fc.tuple(days, days),
  lectures: fc.array(fc.tuple(fc.constantFrom(0, 1), fc.boolean()), { minLength: 3, maxLength: 3 }),
});

const chaptersOf = ({ days: wanted, lectures }: Plan): Chapter[] =>
  wanted.map((releaseAfterDays, index) => ({
    ...{ chapterId: `ch${index}`, chapterOrder: index + 1, chapterTitle: "A chapter" },
    ...(releaseAfterDays === undefined ? {} : { releaseAfterDays }),
    chapterContent: lectures.flatMap(([chapter, isPreviewFree], position) =>
      chapter === index
        ? [
            {
              ...{ lectureId: `l${position}`, lectureTitle: "A lecture", lectureDuration: 1, lectureUrl: "" },
              ...{ isPreviewFree, lectureOrder: position + 1 },
            },
          ]
        : [],
    ),
  }));

function openLectures(chapters: readonly Chapter[], enrolledAt: Date, now: Date): string[] {
  const learner = {
    userId: "user_learner",
    enrolledAt,
    createdAt: enrolledAt,
    courseCompletedAt: null,
    expiresAt: null,
  };
  const opensAt = releaseFor(course, learner, now);
  return chapters.flatMap((chapter) =>
    chapter.chapterContent.filter((lecture) => !opensAt(chapter, lecture)).map(({ lectureId }) => lectureId),
  );
}

test("no sequence of edits closes a lecture that a learner had open", () => {
  fc.assert(
    fc.property(
      plan,
      fc.array(plan, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: -20, max: 60 }),
      (a, edits, day) => {
        const enrolledAt = new Date(day * dayMs);
        let now = new Date(Math.max(0, day) * dayMs);
        let chapters = chaptersOf(a);
        for (const edit of edits) {
          now = new Date(now.getTime() + edit.after * dayMs);
          const before = openLectures(chapters, enrolledAt, now);
          chapters = keepOpen(chaptersOf(edit), chapters, now);
          expect(openLectures(chapters, enrolledAt, now)).toEqual(expect.arrayContaining(before));
        }
      },
    ),
  );
});

test("an edit opens nothing to a learner who enrolls after it", () => {
  fc.assert(
    fc.property(plan, plan, (a, edit) => {
      const now = new Date(100 * dayMs);
      const enrolledAt = new Date(now.getTime() + 1);
      const planned = chaptersOf(edit);
      expect(openLectures(keepOpen(planned, chaptersOf(a), now), enrolledAt, enrolledAt)).toEqual(
        openLectures(planned, enrolledAt, enrolledAt),
      );
    }),
  );
});
