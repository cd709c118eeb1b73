import type { Types } from "mongoose";
import type { Models } from "../index.js";
import type { LectureBlock } from "./lecture-block.js";

/** Most texts of one lecture that are read; each has at most 20,000 characters. */
const maxTexts = 20;

/** Projection from which `hasText` can tell. */
export const blockKinds = { "courseContent.chapterContent.blocks.kind": 1 } as const;

export const hasText = ({ blocks = [] }: { blocks?: readonly Pick<LectureBlock, "kind">[] }): boolean =>
  blocks.some(({ kind }) => kind === "text");

/** A lecture by its ids. */
export interface LecturePlace {
  readonly courseId: Types.ObjectId;
  readonly lectureId: string;
}

/** All texts of one lecture. */
export interface LessonText extends LecturePlace {
  readonly markdown: string;
}

const lecture = "courseContent.chapterContent";
const textBlocks = { $filter: { input: `$${lecture}.blocks`, cond: { $eq: ["$$this.kind", "text"] } } };
const texts = { $map: { input: { $slice: [textBlocks, maxTexts] }, in: "$$this.text" } };

/** Reads the Markdown of lectures that have texts, in any order, and nothing else of their courses. */
export async function findLessonTexts(db: Models, places: readonly LecturePlace[]): Promise<LessonText[]> {
  if (places.length === 0) return [];
  const rows = await db.Course.aggregate<LecturePlace & { texts: string[] }>([
    { $match: { _id: { $in: places.map(({ courseId }) => courseId) } } },
    { $project: { [`${lecture}.lectureId`]: 1, [`${lecture}.blocks.kind`]: 1, [`${lecture}.blocks.text`]: 1 } },
    { $unwind: "$courseContent" },
    { $unwind: `$${lecture}` },
    {
      $match: {
        $or: places.map(({ courseId, lectureId }) => ({ _id: courseId, [`${lecture}.lectureId`]: lectureId })),
      },
    },
    { $project: { _id: 0, courseId: "$_id", lectureId: `$${lecture}.lectureId`, texts } },
  ]);
  return rows.map(({ texts: parts, ...place }) => ({ ...place, markdown: parts.join("\n\n") }));
}
