import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { sharedRead } from "../../http/shared-reads.js";
import {
  addCatalogChange,
  type CatalogChange,
  findCatalogChanges,
  findCatalogRevisions,
} from "../../models/courses/catalog-revision.js";
import type { Models } from "../../models/index.js";

/** The revision is the sum over so many documents: changes that meet at one moment seldom write the same one. */
const parts = 8;
const partName = (part: number): string => `catalog:${part}`;
const partNames = Array.from({ length: parts }, (_, part) => partName(part));

/** Creates the documents, so that no transaction has to. Instances may start at the same moment. */
export async function createCatalogRevision({ CatalogRevision: Revisions }: Models): Promise<void> {
  for (const _id of partNames) await Revisions.updateOne({ _id }, { $setOnInsert: { revision: 0 } }, { upsert: true });
}

/** So many of its newest changes each document names. */
const changesKept = 50;

/**
 * Tells every instance that what the catalog shows of a course, other than its figures, or of an educator has changed.
 * Called in the transaction that changes it. Each call adds one to the revision and one change to the list.
 */
export async function touchCatalog(db: Db, session: ClientSession, change: CatalogChange = {}): Promise<void> {
  const part = partName(Math.floor(Math.random() * parts));
  await addCatalogChange(db, part, change, changesKept, session);
}

/** Two equal answers mean that no change was committed in between. */
export type CatalogRevision = () => Promise<number>;

/** The revision by a read that requests share, whatever they look at it for. */
export function sharedCatalogRevision(db: Db): CatalogRevision {
  return sharedRead(async () => {
    const found = await findCatalogRevisions(db, partNames);
    return found.reduce((sum, { revision }) => sum + revision, 0);
  });
}

/** The revision of each document. */
export type CatalogParts = ReadonlyMap<string, number>;

/**
 * The revision now, and what has changed since another one.
 * @param since undefined, or one that is too old: `changes` is undefined, anything may have changed.
 */
export async function readCatalogChanges(
  db: Db,
  since: CatalogParts | undefined,
): Promise<{ revision: number; parts: CatalogParts; changes: CatalogChange[] | undefined }> {
  const found = await findCatalogChanges(db, partNames);
  const named = found.map(({ _id, revision, changes = [] }) => {
    const count = revision - (since?.get(_id) ?? Number.NEGATIVE_INFINITY);
    if (count === 0) return [];
    return count > 0 && count <= changes.length ? changes.slice(-count) : undefined;
  });
  const known = named.every((some) => some?.every(({ courseId, educatorId }) => courseId || educatorId));
  return {
    revision: found.reduce((sum, { revision }) => sum + revision, 0),
    parts: new Map(found.map(({ _id, revision }) => [_id, revision])),
    changes: known ? named.flatMap((some) => some ?? []) : undefined,
  };
}
