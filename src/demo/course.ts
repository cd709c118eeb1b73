import type { Chapter } from "../models/courses/course.js";
import type { DemoUserId } from "./users.js";

/** A course of the demo data; lectures are `title | minutes`, the first two are free previews. */
export interface DemoCourse {
  readonly key: string;
  readonly title: string;
  readonly educator: DemoUserId;
  /** Major units. */
  readonly price: number;
  readonly discount: number;
  readonly draft?: boolean;
  readonly colours: readonly [string, string];
  readonly about: string;
  readonly outcomes: readonly string[];
  readonly chapters: readonly { readonly title: string; readonly lectures: readonly string[] }[];
}

/** The curriculum, in the server's own shape. @param film what every lecture shows */
export function chaptersOf(course: DemoCourse, film = ""): Chapter[] {
  let number = 0;
  return course.chapters.map(({ title, lectures }, c) => ({
    chapterId: `ch${c + 1}`,
    chapterOrder: c + 1,
    chapterTitle: title,
    chapterContent: lectures.map((lecture, l) => {
      const [lectureTitle = "", minutes = "10"] = lecture.split(" | ");
      number += 1;
      return {
        lectureId: `${course.key}-${number}`,
        lectureTitle,
        lectureDuration: Number(minutes),
        lectureUrl: film,
        isPreviewFree: number <= 2,
        lectureOrder: l + 1,
      };
    }),
  }));
}

/** The course's description as an educator would write it, in Markdown. */
export function description({ about, outcomes, chapters }: DemoCourse): string {
  const list = outcomes.map((outcome) => `- ${outcome}`).join("\n");
  const parts = chapters.map(
    ({ title, lectures }, i) => `${i + 1}. **${title}**: ${lectures.map((l) => l.split(" | ")[0]).join(", ")}`,
  );
  return `${about}\n\n## What you will be able to do\n\n${list}\n\n## What is inside\n\n${parts.join("\n")}\n\n*No previous knowledge beyond the basics is assumed. Ask in the community when you are stuck.*\n`;
}
