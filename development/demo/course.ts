import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Deps } from "../../src/deps.js";
import { escapeHtml } from "../../src/lib/escape-html.js";
import type { Chapter } from "../../src/models/courses/course.js";
import type { LectureBlock } from "../../src/models/courses/lecture-block.js";
import type { Storage } from "../../src/providers/cloudinary.js";
import { recogniseFile } from "../../src/services/resources/recognise-file.js";
import { fileOf } from "../../src/services/resources/resources.js";
import type { DemoCourse } from "./content.js";
import { demoId } from "./demo-id.js";

type DemoLecture = DemoCourse["chapters"][number]["lectures"][number];

const previewLectures = 2;

/** Builds a course's chapters in the shape of the model. The first two lectures are free previews. */
export function buildChapters(course: DemoCourse, lectureUrl = ""): Chapter[] {
  let number = 0;
  return course.chapters.map(({ title, lectures }, c) => ({
    chapterId: `ch${c + 1}`,
    chapterOrder: c + 1,
    chapterTitle: title,
    chapterContent: lectures.map((lecture, l) => {
      number += 1;
      return {
        lectureId: `${course.key}-${number}`,
        lectureTitle: lecture.title,
        lectureDuration: lecture.minutes,
        lectureUrl,
        isPreviewFree: number <= previewLectures,
        lectureOrder: l + 1,
        ...blocksOf(course, lecture, `ch${c + 1}`),
      };
    }),
  }));
}

function blocksOf({ key }: DemoCourse, lecture: DemoLecture, chapterId: string): { blocks?: LectureBlock[] } {
  const { text, file, assessment } = lecture;
  const blocks: LectureBlock[] = [];
  if (text) blocks.push({ kind: "text", text });
  if (file) blocks.push({ kind: "file", resourceId: String(demoId("resource", key, file)) });
  if (assessment) blocks.push({ kind: "quiz", chapterId });
  return blocks.length > 0 ? { blocks } : {};
}

/** Stores the files that a course's lectures offer. */
export async function loadFiles({ db, storage }: Pick<Deps, "db" | "storage">, course: DemoCourse): Promise<void> {
  const courseId = demoId("course", course.key);
  for (const { file: name } of course.chapters.flatMap(({ lectures }) => lectures)) {
    if (!name) continue;
    const _id = demoId("resource", course.key, name);
    if (await db.CourseResource.exists({ _id })) continue;
    const content = fileURLToPath(new URL(`./media/${name}`, import.meta.url));
    const { contentType, extension } = await recogniseFile(content, name);
    const file = `resources/${courseId}/${_id}.${extension}`;
    await storage.put({ ...fileOf({ file }), content });
    const { size } = await stat(content);
    const row = { _id, courseId, educatorId: course.educator, file, name, size, contentType };
    await db.CourseResource.create({ ...row, state: "stored" });
  }
}

/** Writes a course's description in Markdown. Outcomes and requirements are fields of their own. */
export const describeCourse = ({ about }: DemoCourse): string =>
  `${about}\n\n*Ask in the community when you are stuck.*\n`;

const filmFile = fileURLToPath(new URL("./media/demo-lecture.webm", import.meta.url));

/** Stores the silent five-second film that every demo lecture shows. @returns its address. */
export async function storeDemoFilm(storage: Storage): Promise<string> {
  return storage.put({ publicId: "lectures/demo-lecture.webm", kind: "raw", content: filmFile });
}

const maxLineCharacters = 18;
const lineHeight = 104;

/** Draws a course's title over a gradient of two colours, 1280 × 720. */
export function drawThumbnail(title: string, [from, to]: readonly [string, string]): Buffer {
  const lines = wrapWords(title);
  const text = lines
    .map((line, i) => {
      const y = 400 + (i - (lines.length - 1) / 2) * lineHeight;
      return `<text x="96" y="${y}" font-size="84">${escapeHtml(line)}</text>`;
    })
    .join("");
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720" width="1280" height="720">
<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>
<rect width="1280" height="720" fill="url(#g)"/>
<circle cx="1120" cy="120" r="220" fill="#fff" opacity=".08"/><circle cx="1180" cy="600" r="320" fill="#fff" opacity=".07"/>
<rect x="96" y="120" width="96" height="10" rx="5" fill="#fff" opacity=".9"/>
<g fill="#fff" font-family="Segoe UI, Helvetica, Arial, sans-serif" font-weight="700">${text}</g>
</svg>
`,
  );
}

function wrapWords(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < maxLineCharacters) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines;
}
