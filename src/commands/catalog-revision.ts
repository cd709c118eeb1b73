import { bare } from "../models/bare.js";
import type { Models } from "../models/index.js";

const catalog = { _id: "catalog" };

/** After this time a change that was announced but never finished counts as crashed. */
const abandonedAfterMs = 10_000;

/**
 * Runs a write that changes what the catalog shows (a course, its counters, its educator's profile). It is announced
 * before and finished after, so that no reader on any instance takes a copy made in between for the truth. Writes may
 * overlap.
 */
export async function changeCatalog<T>(models: Models, write: () => Promise<T>): Promise<T> {
  const revisions = bare(models.CatalogRevision);
  const announced = { $inc: { started: 1 }, $set: { at: new Date() }, $setOnInsert: { finished: 0 } };
  await revisions.updateOne(catalog, announced, { upsert: true });
  const finish = () => revisions.updateOne(catalog, { $inc: { finished: 1 }, $set: { at: new Date() } });
  const written = await write().catch((error: unknown) => {
    // Not waited for: a database that is away would make the caller wait for it twice.
    finish().catch(() => undefined);
    throw error;
  });
  await finish();
  return written;
}

/**
 * The catalog's revision, or undefined while a change is under way (then nothing may be cached). Two equal answers mean
 * that the catalog did not change in between. A change that died half-way is written off after ten seconds.
 */
export async function readCatalogRevision(models: Models): Promise<number | undefined> {
  // Past mongoose: this read is in the path of every visitor.
  const found = await bare(models.CatalogRevision).findOne(catalog);
  if (!found) return 0;
  const { started, finished, at } = found;
  if (started === finished) return started;
  if (Date.now() - at.getTime() < abandonedAfterMs) return undefined;
  await models.CatalogRevision.updateOne(
    { ...catalog, started, finished },
    { $set: { started: started + 1, finished: started + 1, at: new Date() } },
  );
  return undefined;
}
