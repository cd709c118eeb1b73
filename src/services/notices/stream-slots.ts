import { randomUUID } from "node:crypto";
import { isDuplicateKey } from "../../db/database-errors.js";
import type { Db } from "../../db/db.js";

/** Maximum number of open streams of a user, over all instances. */
const maxStreams = 3;
/** Pause between two heartbeats of an instance, and the time without one after which its slots can be taken over. */
const heartbeatMs = { pause: 5_000, alive: 15_000 };

/** The ids of all slots of a user. */
export const streamSlotIds = (userId: string): string[] =>
  Array.from({ length: maxStreams }, (_, n) => `stream:${userId}:${n}`);

/** A user's right to one stream. */
export interface StreamSlot {
  readonly _id: string;
  readonly expiresAt: Date;
}

/**
 * Gives users slots for their streams. A slot is a lease that its instance holds: it is free when it was released, has
 * expired, or when its instance sends no heartbeats any more. The heartbeat is a lease too.
 * @param onLapse is called when the heartbeat was too late, so that others may have taken every slot of this instance.
 */
export function createStreamSlots(db: Db, onLapse: () => void) {
  const holder = `streams:${randomUUID()}`;
  const unreleased = new Map<string, StreamSlot>();
  let timer: NodeJS.Timeout | undefined;
  let first: Promise<void> | undefined;

  async function beat(): Promise<void> {
    const expiresAt = new Date(Date.now() + heartbeatMs.alive);
    const change = { $set: { holder, expiresAt } };
    const before = await db.Lease.findOneAndUpdate({ _id: holder }, change, { upsert: true }).lean();
    if (!before || before.expiresAt <= new Date()) onLapse();
    for (const slot of unreleased.values()) await release(slot);
  }

  function start(): Promise<void> {
    timer ??= setInterval(() => void beat().catch(() => undefined), heartbeatMs.pause).unref();
    first ??= beat().catch((error: unknown) => {
      first = undefined;
      throw error;
    });
    return first;
  }

  /** A slot whose release fails is released with the next heartbeat. */
  async function release(slot: StreamSlot): Promise<void> {
    unreleased.set(slot._id, slot);
    await db.Lease.deleteOne({ ...slot, holder });
    unreleased.delete(slot._id);
  }

  async function aliveHolders(holders: readonly string[]): Promise<Set<string>> {
    const alive = await db.Lease.find(
      { _id: { $in: [...holders] }, expiresAt: { $gt: new Date() } },
      { _id: 1 },
    ).lean();
    return new Set(alive.map(({ _id }) => _id));
  }

  /** @returns whether the slot was free. */
  async function insert(slot: StreamSlot): Promise<boolean> {
    try {
      await db.Lease.insertMany([{ ...slot, holder }], { lean: true });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  return {
    /** @param lastsMs how long the stream lasts at most. @returns undefined when the user has no free slot. */
    async take(userId: string, lastsMs: number): Promise<StreamSlot | undefined> {
      await start();
      const now = new Date();
      const expiresAt = new Date(now.getTime() + lastsMs);
      const ids = streamSlotIds(userId);
      const findTaken = () => db.Lease.find({ _id: { $in: ids } }).lean();
      let taken = await findTaken();
      const free = ids.filter((id) => !taken.some(({ _id }) => _id === id));
      for (const _id of free) if (await insert({ _id, expiresAt })) return { _id, expiresAt };
      // Other requests were faster. An expired slot may be left.
      if (free.length > 0) taken = await findTaken();
      const alive = await aliveHolders(taken.map((slot) => slot.holder));
      const left = taken.filter((slot) => slot.expiresAt <= now || !alive.has(slot.holder));
      for (const { _id, holder: former, expiresAt: end } of left) {
        const change = { $set: { holder, expiresAt } };
        const { matchedCount } = await db.Lease.updateOne({ _id, holder: former, expiresAt: end }, change);
        if (matchedCount > 0) return { _id, expiresAt };
      }
      return undefined;
    },
    release,
    /** Ends the heartbeat, which frees every slot of this instance. */
    async close(): Promise<void> {
      clearInterval(timer);
      if (first) await db.Lease.deleteOne({ _id: holder });
    },
  };
}
