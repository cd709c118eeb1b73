import type { ClientSession } from "mongoose";
import type { Models } from "../index.js";
import type { Course } from "./course.js";

/** The present slug of a course. A course without slugs is found by its id. */
export const currentSlug = ({ _id, slugs }: Pick<Course, "_id" | "slugs">): string => slugs?.[0] ?? String(_id);

/** Whether another course has a slug, or had it. */
export async function isSlugTaken(
  db: Models,
  { _id }: Pick<Course, "_id">,
  slug: string,
  session: ClientSession,
): Promise<boolean> {
  return (await db.Course.exists({ slugs: slug, _id: { $ne: _id } }).session(session)) !== null;
}
