import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { sharedRead } from "../../http/shared-reads.js";
import {
  addCatalogChange,
  type CatalogChange,
  findCatalogChanges,
  findCatalogRevisions,
  type NumberedChange,
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

/** Where the catalog stands. */
export interface CatalogState {
  /** How many changes there were: later states have a greater one, but after a failover that undid some. */
  readonly revision: number;
  /** Two equal names mean that no change was committed in between. */
  readonly name: string;
}

/** The state by a read that requests share, whatever they look at it for. */
export function sharedCatalogState(db: Db): () => Promise<CatalogState> {
  return sharedRead(async () => {
    const found = await findCatalogRevisions(db, partNames);
    return { revision: found.reduce((sum, { revision }) => sum + revision, 0), name: nameOf(found) };
  });
}

const nameOf = (found: Awaited<ReturnType<typeof findCatalogRevisions>>): string =>
  found
    .map(({ _id, revision, newest }) => `${_id} ${revision} ${newest?.toHexString()}`)
    .sort()
    .join();

/** The state of each document: its revision, and the id of its newest change. */
export type CatalogParts = ReadonlyMap<string, { readonly revision: number; readonly newest: string }>;

/**
 * The state of the documents now, and what has changed since another one.
 * @param since undefined, or one that is too old or was undone: `changes` is undefined, anything may have changed.
 */
export async function readCatalogChanges(
  db: Db,
  since: CatalogParts | undefined,
): Promise<{ parts: CatalogParts; changes: CatalogChange[] | undefined }> {
  const found = await findCatalogChanges(db, partNames);
  const named = found.map(({ _id, revision, changes = [] }) => {
    const known = since?.get(_id);
    const count = known ? revision - known.revision : Number.NaN;
    const isKnown = count >= 0 && count <= changes.length && idOf(changes.at(-1 - count)) === known?.newest;
    return isKnown ? changes.slice(changes.length - count) : undefined;
  });
  const known = named.every((some) => some?.every(({ courseId, educatorId }) => courseId || educatorId));
  return {
    parts: new Map(found.map(({ _id, revision, changes }) => [_id, { revision, newest: idOf(changes?.at(-1)) }])),
    changes: known ? named.flatMap((some) => some ?? []) : undefined,
  };
}

/** Of none, and of one that an earlier version stored: the same. */
const idOf = (change: NumberedChange | undefined): string => String(change?.id);
