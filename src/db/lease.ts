import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { isDuplicateKey } from "./database-errors.js";
import type { Db } from "./db.js";

const maxReleaseMs = 200;

export interface LeaseOptions {
  /** How long a crash blocks other instances. */
  readonly ttlMs: number;
  /** Work that is never done again once it has succeeded leaves its lease to expire. */
  readonly once?: boolean;
}

/**
 * Runs `work` under the lease `name`, which one instance holds at a time. The lease is renewed while the work runs and
 * released afterwards; after a crash it expires within `ttlMs`.
 * @param work is given a signal that aborts when the lease was lost.
 * @returns the work's result; undefined when the lease is held already, here or on another instance.
 */
export async function withLease<T>(
  db: Db,
  name: string,
  work: (signal: AbortSignal) => Promise<T>,
  { ttlMs, once = false }: LeaseOptions,
): Promise<T | undefined> {
  const holder = randomUUID();
  if (!(await takeLease(db, name, holder, ttlMs))) return undefined;
  const lost = new AbortController();
  const renewal = setInterval(() => {
    renewLease(db, name, holder, ttlMs).then(
      (kept) => kept || lost.abort(),
      () => undefined,
    );
  }, ttlMs / 3);
  renewal.unref();
  let succeeded = false;
  try {
    const result = await work(lost.signal);
    succeeded = true;
    return result;
  } finally {
    clearInterval(renewal);
    if (!(once && succeeded)) {
      const released = db.Lease.deleteOne({ _id: name, holder }).catch(() => undefined);
      // After a failure the database may be unavailable, and the caller should not wait for a second time-out.
      await (succeeded ? released : Promise.race([released, pause(maxReleaseMs)]));
    }
  }
}

async function takeLease(db: Db, name: string, holder: string, ttlMs: number): Promise<boolean> {
  const now = Date.now();
  try {
    await db.Lease.updateOne(
      { _id: name, expiresAt: { $lte: new Date(now) } },
      { $set: { holder, expiresAt: new Date(now + ttlMs) } },
      { upsert: true },
    );
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Never creates the lease, because a renewal may arrive after the work has ended. @returns whether the lease is held. */
async function renewLease(db: Db, name: string, holder: string, ttlMs: number): Promise<boolean> {
  const renewed = { $set: { expiresAt: new Date(Date.now() + ttlMs) } };
  return (await db.Lease.updateOne({ _id: name, holder }, renewed)).matchedCount > 0;
}
