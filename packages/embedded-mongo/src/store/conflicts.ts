import { setTimeout as delay } from "node:timers/promises";
import { DatabaseError } from "../errors.js";
import type { View } from "./view.js";

/**
 * Thrown when a write outside transactions meets a lock of a transaction. The write can be retried when that has ended.
 */
export class Blocked extends Error {
  constructor(private readonly by: View) {
    super("an open transaction holds this entry");
  }

  /** Resolves when the transaction has ended, or after the timeout. */
  async over(milliseconds: number): Promise<void> {
    const ended = new AbortController();
    const passed = delay(Math.max(0, milliseconds), undefined, ended).catch(() => undefined);
    await Promise.race([this.by.ended, passed]);
    ended.abort();
  }
}

const conflict = () =>
  new DatabaseError(112, "WriteConflict error: this operation conflicted with another operation. Please retry.");

/**
 * Holds the locks of open transactions. An intent locks an entry that the transaction has written; a shared lock stops
 * other clients from changing an entry. It also keeps recent changes that an open snapshot, or the next one, does not
 * show.
 */
export class Conflicts {
  /** Open transactions in the order of their snapshots. */
  private readonly open = new Set<View>();
  private readonly intents = new Map<string, View>();
  private readonly shared = new Map<string, Set<View>>();
  /** The last write of each changed entry, oldest first. */
  private readonly changed = new Map<string, number>();
  /** Number of the last write. */
  private last = 0;
  /** New snapshots show at least all writes up to this number. */
  shown = 0;

  begin(view: View): void {
    this.open.add(view);
  }

  /** Releases the locks of a transaction. */
  end(view: View): void {
    for (const key of view.intents) this.intents.delete(key);
    for (const key of view.shared) {
      const holders = this.shared.get(key);
      holders?.delete(view);
      if (holders?.size === 0) this.shared.delete(key);
    }
    this.open.delete(view);
    this.forget();
    view.end();
  }

  /**
   * Locks an entry for a change by a transaction or by a write outside transactions.
   * @throws DatabaseError 112 in a transaction when another holds the entry or has changed it after the snapshot;
   * Blocked outside transactions.
   */
  lock(key: string, view: View | undefined): void {
    const holder = this.intents.get(key);
    if (view === undefined) {
      const by = holder ?? this.shared.get(key)?.values().next().value;
      if (by !== undefined) throw new Blocked(by);
    } else if (holder !== view) {
      if (holder !== undefined) throw conflict();
      this.checkSnapshot(key, view);
      this.intents.set(key, view);
      view.intents.push(key);
    }
  }

  /** Locks an entry against changes by others until the transaction ends. */
  share(key: string, view: View): void {
    view.shared.add(key);
    this.shared.set(key, (this.shared.get(key) ?? new Set()).add(view));
  }

  /** Checks an entry against a snapshot. @throws DatabaseError 112 when the entry was changed after it. */
  checkSnapshot(key: string, { since }: View): void {
    if ((this.changed.get(key) ?? 0) > since) throw conflict();
  }

  /** Records a write that is not yet committed. @returns its number. */
  record(keys: Iterable<string>): number {
    this.last += 1;
    for (const key of keys) {
      this.changed.delete(key);
      this.changed.set(key, this.last);
    }
    return this.last;
  }

  /** Shows a committed write and all writes before it to new snapshots. */
  show(number: number): void {
    this.shown = Math.max(this.shown, number);
    this.forget();
  }

  /** Forgets the changes that every open snapshot, and the next, shows. */
  private forget(): void {
    const [oldest] = this.open;
    const horizon = oldest?.since ?? this.shown;
    for (const [key, number] of this.changed) {
      if (number > horizon) return;
      this.changed.delete(key);
    }
  }
}
