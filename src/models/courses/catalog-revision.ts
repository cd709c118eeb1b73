import { type ClientSession, Schema, type Types } from "mongoose";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";

/** What a change is about; neither: anything may have changed. */
export interface CatalogChange {
  courseId?: Types.ObjectId;
  educatorId?: string;
}

/**
 * A part of the number that tells whether a cached catalog is still the truth: the sum over all of these (see
 * services/courses/catalog-revision.ts).
 */
export interface CatalogRevision {
  _id: string;
  revision: number;
  /** The newest changes, oldest first: what each of the last steps of the revision was about. */
  changes?: CatalogChange[];
}

export const catalogRevisionSchema = new Schema<CatalogRevision>(
  {
    _id: { type: String, required: true },
    revision: { type: Number, required: true },
    changes: { type: [], default: undefined },
  },
  { versionKey: false },
);

/** Raises one part by one, and names the change in it. @param keep so many of the newest changes stay. */
export async function addCatalogChange(
  db: Models,
  part: string,
  change: CatalogChange,
  keep: number,
  session: ClientSession,
): Promise<void> {
  const changes = { $each: [change], $slice: -keep };
  await nativeCollection(db.CatalogRevision).updateOne(
    { _id: part },
    { $inc: { revision: 1 }, $push: { changes } },
    { session },
  );
}

export function findCatalogRevisions(
  db: Models,
  parts: readonly string[],
): Promise<Pick<CatalogRevision, "_id" | "revision">[]> {
  return nativeCollection(db.CatalogRevision)
    .find({ _id: { $in: [...parts] } }, { projection: { revision: 1 }, batchSize: 2 * parts.length })
    .toArray();
}

/** The same with the newest changes. */
export function findCatalogChanges(db: Models, parts: readonly string[]): Promise<CatalogRevision[]> {
  return nativeCollection(db.CatalogRevision)
    .find({ _id: { $in: [...parts] } }, { batchSize: 2 * parts.length })
    .toArray();
}
