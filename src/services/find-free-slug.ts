import { randomBytes } from "node:crypto";
import type { ClientSession, Model, QueryFilter, Types } from "mongoose";
import { BrokenRule, failure } from "../lib/errors.js";
import { isObjectId } from "../lib/fields.js";
import { slugOf } from "../lib/slug.js";

export const SlugTaken = failure("slug_taken", 409, "Slug is taken");

/** A row with an address: the present slug first, then former ones, which stay reserved. */
interface Slugged {
  readonly _id: Types.ObjectId;
  readonly slugs?: readonly string[];
}

/** Titles of forms are shorter. An index takes no values of any length. */
const maxSlugLength = 200;

/** Numbers that are tried behind a slug that is taken. Behind the last number the suffix is random. */
const lastNumber = 9;

/**
 * Reads by one command whether a row is stored, and a slug for its title that is free among the rows of its kind.
 * @param kind begins the slug of a title without Latin letters and digits.
 */
export async function findFreeSlug<Row extends Slugged>(
  model: Model<Row>,
  kind: "course" | "path",
  { _id, title }: Pick<Slugged, "_id"> & { readonly title: string },
  session: ClientSession,
): Promise<{ isStored: boolean; slug: string }> {
  const slug = slugOf(title, kind).slice(0, maxSlugLength);
  const numbered = Array.from({ length: lastNumber - 1 }, (_, n) => `${slug}-${n + 2}`);
  // A name like an id would be mistaken for one.
  const usual = [slug, ...numbered].filter((one) => !isObjectId(one));
  const filter = { $or: [{ _id }, { slugs: { $in: usual } }] } as QueryFilter<Row>;
  const rows = await model.find(filter, { slugs: 1 }).session(session).lean<Slugged[]>();
  const taken = new Set(rows.flatMap(({ slugs = [] }) => slugs));
  const isStored = rows.some((row) => row._id.equals(_id));
  return { isStored, slug: usual.find((one) => !taken.has(one)) ?? `${slug}-${randomBytes(4).toString("hex")}` };
}

/** @throws SlugTaken when another row of the kind has a slug, or had it. */
export async function requireFreeSlug<Row extends Slugged>(
  model: Model<Row>,
  { _id }: Pick<Slugged, "_id">,
  slug: string | undefined,
  session: ClientSession,
): Promise<void> {
  if (slug === undefined) return;
  const other = { slugs: slug, _id: { $ne: _id } } as QueryFilter<Row>;
  if (await model.exists(other).session(session)) throw SlugTaken();
}

/** Most slugs of a row, former ones included. */
const maxSlugs = 50;

/** The slugs of a row with a present one. The others become former ones. @throws InvalidRequest when they are too many. */
export function slugsWith(slug: string, { slugs = [] }: Pick<Slugged, "slugs">): string[] {
  const former = slugs.filter((other) => other !== slug);
  if (former.length >= maxSlugs) throw BrokenRule(`slug: at most ${maxSlugs}, former ones included`);
  return [slug, ...former];
}
