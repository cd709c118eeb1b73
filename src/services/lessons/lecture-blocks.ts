import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { BodyTooLarge, BrokenRule } from "../../lib/errors.js";
import { escapeHtml } from "../../lib/escape-html.js";
import { isAllowedPlayer } from "../../lib/player-address.js";
import type { Chapter } from "../../models/courses/course.js";
import { blocksOf, type LectureBlock, type TextBlock } from "../../models/courses/lecture-block.js";

/** Bytes of all texts of a course in UTF-8, so that a course fits into one document of the database. */
export const maxTextBytes = 2 * 1_048_576;

/** Bytes of the rest of a course as JSON, without the HTML of texts. Several edits can add up, because lectures keep what a form leaves out. */
const maxOtherBytes = 4 * 1_048_576;

export const textBytes = (blocks: readonly LectureBlock[]): number =>
  blocks.reduce((sum, block) => sum + (block.kind === "text" ? Buffer.byteLength(block.text) : 0), 0);

/**
 * Checks the lectures of a whole course: their total size, and the chapters that quizzes name.
 * @throws BodyTooLarge, InvalidRequest.
 */
export function requireFittingBlocks(chapters: readonly Chapter[]): void {
  const blocks = blocksOf(chapters);
  if (textBytes(blocks) > maxTextBytes) throw BodyTooLarge();
  const withoutTexts = JSON.stringify(chapters, (key, value) => (key === "text" || key === "html" ? undefined : value));
  if (Buffer.byteLength(withoutTexts) > maxOtherBytes) throw BodyTooLarge();
  const chapterIds = new Set(chapters.map(({ chapterId }) => chapterId));
  if (blocks.some((block) => block.kind === "quiz" && !chapterIds.has(block.chapterId))) {
    throw BrokenRule("courseContent: a quiz block names no chapter of the course");
  }
}

/** @throws InvalidRequest when a block embeds a page of a host that is not allowed. */
export function requireEmbedHosts(blocks: readonly LectureBlock[], hosts: readonly string[]): void {
  for (const block of blocks) {
    if (block.kind === "embed" && !isAllowedPlayer(new URL(block.url).host, hosts)) {
      throw BrokenRule("courseContent: an embed block names a host that is not allowed");
    }
  }
}

/**
 * Checks that the files of blocks are resources of the course. The transaction has to write the course, because the
 * removal of a resource writes it too.
 * @throws InvalidRequest.
 */
export async function requireResources(
  db: Db,
  courseId: Types.ObjectId,
  chapters: readonly Chapter[],
  session: ClientSession,
): Promise<void> {
  const files = blocksOf(chapters).flatMap((block) => (block.kind === "file" ? [block.resourceId] : []));
  const ids = [...new Set(files)];
  if (ids.length === 0) return;
  const present = { _id: { $in: ids }, courseId, state: "stored" as const };
  if ((await db.CourseResource.countDocuments(present).session(session)) < ids.length) {
    throw BrokenRule("courseContent: a file block names no stored resource of the course");
  }
}

/** A block as it is answered. */
export type BlockView = Exclude<LectureBlock, TextBlock> | Required<TextBlock>;

/** A text that is not rendered yet is shown as it was written. */
export const viewBlocks = (blocks: readonly LectureBlock[]): BlockView[] =>
  blocks.map((block) =>
    block.kind === "text" ? { ...block, html: block.html ?? `<pre>${escapeHtml(block.text)}</pre>` } : block,
  );
