import { randomBytes } from "node:crypto";
import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { isObjectId } from "../../lib/fields.js";
import { slugOf } from "../../lib/slug.js";
import type { Course } from "../../models/courses/course.js";

/** Titles of forms are shorter. An index takes no values of any length. */
const maxSlugLength = 200;

/** Numbers that are tried behind a slug that is taken. Behind the last number the suffix is random. */
const lastNumber = 9;

/** Reads by one command whether a course is stored, and a free slug for its title. */
export async function findFreeSlug(
  db: Db,
  { _id, courseTitle }: Pick<Course, "_id" | "courseTitle">,
  session: ClientSession,
): Promise<{ isStored: boolean; slug: string }> {
  const slug = slugOf(courseTitle, "course").slice(0, maxSlugLength);
  const numbered = Array.from({ length: lastNumber - 1 }, (_, n) => `${slug}-${n + 2}`);
  // A name like an id would be mistaken for one.
  const usual = [slug, ...numbered].filter((one) => !isObjectId(one));
  const rows = await db.Course.find({ $or: [{ _id }, { slugs: { $in: usual } }] }, { slugs: 1 })
    .session(session)
    .lean();
  const taken = new Set(rows.flatMap(({ slugs = [] }) => slugs));
  const isStored = rows.some((row) => row._id.equals(_id));
  return { isStored, slug: usual.find((one) => !taken.has(one)) ?? `${slug}-${randomBytes(4).toString("hex")}` };
}

/** Whether another course has a slug, or had it. */
export async function isSlugTaken(
  db: Db,
  { _id }: Pick<Course, "_id">,
  slug: string,
  session: ClientSession,
): Promise<boolean> {
  return (await db.Course.exists({ slugs: slug, _id: { $ne: _id } }).session(session)) !== null;
}
