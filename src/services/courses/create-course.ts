import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import { BrokenRule } from "../../lib/errors.js";
import { touchCatalog } from "../../models/courses/catalog-revision.js";
import type { Course, courseFacts } from "../../models/courses/course.js";
import { blocksOf } from "../../models/courses/lecture-block.js";
import { recordEvent } from "../events/record-event.js";
import { findFreeSlug } from "../find-free-slug.js";
import { requireEmbedHosts, requireFittingBlocks } from "../lessons/lecture-blocks.js";
import { renderLessons } from "../lessons/render-lessons.js";
import { currencyDecimals, fitsCurrency, leastPayableMinor, priceBreakdown, toMajor } from "../payments/price.js";
import { arrangeCurriculum, type ChapterForm, completeLectures } from "./curriculum.js";
import { discardUnlessShown, storeThumbnail } from "./store-thumbnail.js";

export type NewCourse = Pick<
  Course,
  | "courseTitle"
  | "courseDescription"
  | "coursePrice"
  | "discount"
  | "accessDays"
  | "isPublished"
  | keyof typeof courseFacts
> & { courseContent: ChapterForm[] };

/**
 * Uploads the thumbnail and then stores the course. The file is removed again when the course could not be stored.
 * @param thumbnail path of an image that was checked already. @returns the new course's id.
 * @throws InvalidRequest for a price that cannot be paid or unusable blocks, BodyTooLarge for too long texts, and errors of the storage and the database.
 */
export async function createCourse(
  deps: Pick<Deps, "db" | "storage" | "log" | "config" | "renderInTurn">,
  educatorId: string,
  course: NewCourse,
  thumbnail: string,
  signal?: AbortSignal,
): Promise<Types.ObjectId> {
  const { db } = deps;
  const { currency } = deps.config;
  const coursePrice = storedPrice(course.coursePrice, currency);
  requirePayable({ ...course, coursePrice }, currency);
  const _id = new Types.ObjectId();
  const chapters = completeLectures(course.courseContent);
  requireFittingBlocks(chapters);
  requireEmbedHosts(blocksOf(course.courseContent), deps.config.embedHosts);
  if (blocksOf(course.courseContent).some(({ kind }) => kind === "file")) {
    throw BrokenRule("courseContent: a new course has no resources for file blocks");
  }
  const lessons = await renderLessons(chapters, { educatorId, signal, renderInTurn: deps.renderInTurn });
  const shown = await storeThumbnail(deps, _id, thumbnail);
  try {
    const curriculum = { ...lessons, ...arrangeCurriculum(lessons.courseContent) };
    const stored = { ...course, coursePrice, ...curriculum, ...shown, _id, educatorId };
    await db.transaction((session) => insertCourse(db, session, stored), { mutex: "catalog" });
  } catch (error) {
    await discardUnlessShown(deps, _id, shown.thumbnailFile, error);
    throw error;
  }
  return _id;
}

/** Stores a new course with its slug, unless an attempt whose commit was not confirmed has stored it already. */
export async function insertCourse(
  db: Db,
  session: ClientSession,
  course: Partial<Course> & Pick<Course, "_id" | "educatorId" | "courseTitle">,
): Promise<void> {
  const { _id, educatorId, courseTitle: title } = course;
  const { isStored, slug } = await findFreeSlug(db.Course, "course", { _id, title }, session);
  if (isStored) return;
  const [created] = await db.Course.create([{ ...course, slugs: [slug] }], { session });
  const version = created?.version ?? 0;
  if (created?.isPublished) await recordEvent(db, session, "course.published", { courseId: _id, version });
  // Identity events write the account too. A concurrent change of the educator's name conflicts here and runs again.
  await db.Account.updateOne({ _id: educatorId }, { $set: { hasCourses: true } }, { session, upsert: true });
  await touchCatalog(db, session);
}

const twoDecimals = (value: number): number => Number(`${Math.round(Number(`${value}e2`))}e-2`);

/**
 * Rounds a price where the currency (ISO 4217) has two decimals.
 * @param field of the form. @throws InvalidRequest when the price has too many decimals for another currency.
 */
export function storedPrice(price: number, currency: string, field = "coursePrice"): number {
  if (currencyDecimals(currency) === 2) return twoDecimals(price);
  if (!fitsCurrency(price, currency)) throw BrokenRule(`${field}: too many decimals for the currency`);
  return price;
}

/** @throws InvalidRequest for an amount above 0 that is less than the payment provider takes. */
export function requirePayable(
  course: Pick<Course, "coursePrice" | "discount">,
  currency: string,
  field = "coursePrice",
): void {
  const { totalMinor } = priceBreakdown({ course, buyer: null, currency });
  const isFree = course.coursePrice === 0 || course.discount === 100;
  if (!isFree && totalMinor < leastPayableMinor) {
    throw BrokenRule(`${field}: after the discount 0 or at least ${toMajor(leastPayableMinor, currency)}`);
  }
}
