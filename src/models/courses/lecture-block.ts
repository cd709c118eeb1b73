/** One part of a lecture, beside or instead of its video. */
export type LectureBlock =
  | TextBlock
  | { kind: "video"; url: string; captions?: Captions[] | undefined }
  /** A resource of the course. */
  | { kind: "file"; resourceId: string }
  /** A page of a host in `EMBED_HOSTS`. */
  | { kind: "embed"; url: string }
  /** The quiz of a chapter of the course. */
  | { kind: "quiz"; chapterId: string };

export interface TextBlock {
  kind: "text";
  /** Markdown. */
  text: string;
  /** Rendered and sanitised by services/lessons/render-lessons.ts; absent until then, never sent by a client. */
  html?: string;
}

interface Captions {
  /** BCP 47. */
  language: string;
  url: string;
}

interface WithBlocks {
  readonly chapterContent: readonly { readonly blocks?: readonly LectureBlock[] | undefined }[];
}

/** All blocks of some chapters. */
export const blocksOf = (chapters: readonly WithBlocks[]): LectureBlock[] =>
  chapters.flatMap(({ chapterContent }) => chapterContent.flatMap(({ blocks = [] }) => blocks));
