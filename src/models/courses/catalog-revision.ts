import { type ClientSession, Schema, Types } from "mongoose";
import { defineCollection } from "../collection.js";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";

/** What a change is about; neither: anything may have changed. */
export interface CatalogChange {
  courseId?: Types.ObjectId;
  educatorId?: string;
}

/** A change as it is stored, with an id of its own: after a failover that undid one, another one gets its number. */
export interface NumberedChange extends CatalogChange {
  id?: Types.ObjectId;
}

/**
 * A part of the number that tells whether a cached catalog is still the truth: the sum over all of these (see
 * services/courses/catalog-revision.ts).
 */
export interface CatalogRevision {
  _id: string;
  revision: number;
  /** The id of the newest change. */
  newest?: Types.ObjectId;
  /** The newest changes, oldest first: what each of the last steps of the revision was about. */
  changes?: NumberedChange[];
}

const catalogRevisionSchema = new Schema<CatalogRevision>(
  {
    _id: { type: String, required: true },
    revision: { type: Number, required: true },
    newest: { type: Schema.Types.ObjectId },
    changes: { type: [], default: undefined },
  },
  { versionKey: false },
);

export const catalogRevisionCollection = defineCollection<CatalogRevision>({
  schema: catalogRevisionSchema,
  holds: "revision of the catalog, which tells caches of a change",
  kept: "overwritten",
  userData: { erasure: { keep: "names educators of the courses that changed last, until it is overwritten" } },
});

/** Raises one part by one, and names the change in it. @param keep so many of the newest changes stay. */
export async function addCatalogChange(
  db: Models,
  part: string,
  change: CatalogChange,
  keep: number,
  session: ClientSession,
): Promise<void> {
  const id = new Types.ObjectId();
  const changes = { $each: [{ ...change, id }], $slice: -keep };
  await nativeCollection(db.CatalogRevision).updateOne(
    { _id: part },
    { $inc: { revision: 1 }, $set: { newest: id }, $push: { changes } },
    { session },
  );
}

export function findCatalogRevisions(
  db: Models,
  parts: readonly string[],
): Promise<Omit<CatalogRevision, "changes">[]> {
  return nativeCollection(db.CatalogRevision)
    .find({ _id: { $in: [...parts] } }, { projection: { revision: 1, newest: 1 }, batchSize: 2 * parts.length })
    .toArray();
}

/** The same with the newest changes. */
export function findCatalogChanges(db: Models, parts: readonly string[]): Promise<CatalogRevision[]> {
  return nativeCollection(db.CatalogRevision)
    .find({ _id: { $in: [...parts] } }, { batchSize: 2 * parts.length })
    .toArray();
}
