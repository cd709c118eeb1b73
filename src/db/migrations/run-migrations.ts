import type { Db } from "../db.js";
import { withLease } from "../lease.js";
import type { MigrationPlan } from "./migration-plan.js";

export interface PendingMigration {
  readonly name: string;
  readonly about: string;
  /** Documents that are to be changed. */
  readonly remaining: number;
}

/** What `runMigrations` would do; reads only. */
export async function pendingMigrations(db: Db, plans: readonly MigrationPlan[]): Promise<PendingMigration[]> {
  const pending: PendingMigration[] = [];
  for (const plan of await unfinished(db, plans)) {
    pending.push({ name: plan.name, about: plan.about, remaining: await plan.remaining(db) });
  }
  return pending;
}

/**
 * Runs what has not run yet, one after another. One instance at a time does, under a lease; what a crash interrupted
 * goes on where it was. Each is done when none of its documents is left, and is remembered as done.
 * @returns the names of those that were run; undefined when another process is at it.
 */
export function runMigrations(
  db: Db,
  plans: readonly MigrationPlan[],
  progress: (name: string, changed: number) => void = () => undefined,
): Promise<string[] | undefined> {
  const work = async (lost: AbortSignal): Promise<string[]> => {
    const done: string[] = [];
    for (const plan of await unfinished(db, plans)) {
      const { name: _id } = plan;
      const begun = { $setOnInsert: { startedAt: new Date(), finishedAt: null, changed: 0, place: null } };
      await db.Migration.updateOne({ _id }, begun, { upsert: true });
      let { place = null, changed = 0 } = (await db.Migration.findById(_id).lean()) ?? {};
      do {
        lost.throwIfAborted();
        const step = await plan.step(db, place);
        place = step.next;
        changed += step.changed;
        await db.Migration.updateOne({ _id }, { $set: { place, changed } });
        progress(_id, changed);
      } while (place !== null);
      await db.Migration.updateOne({ _id }, { $set: { finishedAt: new Date() } });
      done.push(_id);
    }
    return done;
  };
  return withLease(db, "migrations", work, { ttlMs: 30_000 });
}

async function unfinished(db: Db, plans: readonly MigrationPlan[]): Promise<MigrationPlan[]> {
  const finished = await db.Migration.find({ finishedAt: { $ne: null } }, { _id: 1 }).lean();
  const names = new Set(finished.map(({ _id }) => _id));
  return plans.filter(({ name }) => !names.has(name));
}
