import type { Deps } from "../../deps.js";
import { BrokenRule } from "../../lib/errors.js";
import type { Chapter, Course } from "../../models/courses/course.js";
import { blocksOf, type TextBlock } from "../../models/courses/lecture-block.js";

/** Raise it when markdown-to-html.ts changes the HTML of a text. A job then renders all stored texts again. */
export const rendererVersion = 1;

/** Bytes of the HTML of a course, so that the course fits into one document of the database. */
const maxCourseHtmlBytes = 4 * 1_048_576;

type Lessons = Pick<Course, "courseContent" | "rendererVersion">;

interface RenderOptions extends Pick<Deps, "renderInTurn"> {
  /** Users take turns, text by text. */
  readonly educatorId: string;
  /** The course before an edit; a text that it has keeps its HTML. */
  readonly before?: Lessons;
  /** Aborts when the client has left. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Renders the texts of a course. Between two texts it lets other requests proceed.
 * @throws InvalidRequest when a text or the course makes too much HTML.
 */
export function renderLessons(chapters: readonly Chapter[], { before, ...turn }: RenderOptions): Promise<Lessons> {
  const isCurrent = before?.rendererVersion === rendererVersion;
  const known = isCurrent ? blocksOf(before.courseContent).filter((block) => block.kind === "text") : [];
  const refuse = (rule: string): never => {
    throw BrokenRule(rule);
  };
  return renderTexts(chapters, { known, refuse, render: (text) => render(text, turn) });
}

/** Renders the texts of a stored course. A text that makes too much HTML stays without it. */
export async function renderStoredLessons(
  { db, renderInTurn }: Pick<Deps, "db" | "renderInTurn">,
  { _id, version, courseContent, educatorId }: Pick<Course, "_id" | "version" | "courseContent" | "educatorId">,
): Promise<void> {
  const lessons = await renderTexts(courseContent, { render: (text) => render(text, { educatorId, renderInTurn }) });
  // An edit in the meantime has rendered its texts.
  await db.Course.updateOne({ _id, version }, { $set: lessons }, { timestamps: false });
}

/** Courses whose texts another version has rendered or saved. */
export const renderedBefore = { rendererVersion: { $lt: rendererVersion } } as const;

async function renderTexts(
  chapters: readonly Chapter[],
  {
    known = [],
    refuse,
    render,
  }: {
    known?: readonly TextBlock[];
    refuse?: (rule: string) => never;
    render: (markdown: string) => Promise<string | undefined>;
  },
): Promise<Lessons> {
  const htmlOf = new Map<TextBlock, string>();
  const knownHtml = new Map(known.map(({ text, html }) => [text, html]));
  let bytes = 0;
  for (const { block, path } of textsOf(chapters)) {
    const html = knownHtml.get(block.text) ?? (await render(block.text));
    if (html === undefined) {
      refuse?.(`${path}: makes more than 200,000 bytes of HTML`);
      continue;
    }
    bytes += Buffer.byteLength(html);
    if (bytes > maxCourseHtmlBytes) {
      refuse?.(`${path}: the texts of the course make more than 4 MiB of HTML`);
      break;
    }
    htmlOf.set(block, html);
  }
  return { courseContent: withHtml(chapters, htmlOf), rendererVersion };
}

async function render(
  markdown: string,
  { educatorId, renderInTurn, signal }: Omit<RenderOptions, "before">,
): Promise<string | undefined> {
  const { markdownToHtml } = await import("./markdown-to-html.js");
  return renderInTurn(educatorId, async () => markdownToHtml(markdown), signal);
}

const textsOf = (chapters: readonly Chapter[]) =>
  chapters.flatMap(({ chapterContent }, c) =>
    chapterContent.flatMap(({ blocks = [] }, l) =>
      blocks.flatMap((block, b) =>
        block.kind === "text" ? [{ block, path: `courseContent.${c}.chapterContent.${l}.blocks.${b}.text` }] : [],
      ),
    ),
  );

const withHtml = (chapters: readonly Chapter[], htmlOf: ReadonlyMap<TextBlock, string>): Chapter[] =>
  chapters.map((chapter) => ({
    ...chapter,
    chapterContent: chapter.chapterContent.map((lecture) => {
      if (!lecture.blocks) return lecture;
      const blocks = lecture.blocks.map((block) => {
        if (block.kind !== "text") return block;
        const html = htmlOf.get(block);
        return { kind: block.kind, text: block.text, ...(html !== undefined && { html }) };
      });
      return { ...lecture, blocks };
    }),
  }));
