import { setTimeout as delay } from "node:timers/promises";
import { DatabaseError } from "../errors.js";
import type { View } from "./view.js";

/** A write outside transactions met a lock of an open transaction: it can be repeated when that one has ended. */
export class Blocked extends Error {
  constructor(private readonly by: View) {
    super("an open transaction holds this entry");
  }

  /** Resolves when the transaction has ended, or that many milliseconds have passed. */
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
 * What open transactions hold: the entries they have written (intents) and those that no other client may change under them
 * (shared); and which entries were changed so lately that an open snapshot, or the next one, may not show it.
 */
export class Conflicts {
  /** In the order of their snapshots. */
  private readonly open = new Set<View>();
  private readonly intents = new Map<string, View>();
  private readonly shared = new Map<string, Set<View>>();
  /** The number of the last write that changed an entry, the oldest first. */
  private readonly changed = new Map<string, number>();
  /** The number of the last write carried out. */
  private last = 0;
  /** New snapshots show all writes up to this one, and perhaps later ones. */
  shown = 0;

  begin(view: View): void {
    this.open.add(view);
  }

  /** Unlocks all that a transaction has locked. */
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
   * Lets a transaction, or a write outside, change an entry: no other client does before the transaction ends.
   * @throws DatabaseError 112 in a transaction, Blocked outside, when another holds it; 112 when its change is newer than the snapshot.
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

  /** The entry is not changed from outside before the transaction ends. */
  share(key: string, view: View): void {
    view.shared.add(key);
    this.shared.set(key, (this.shared.get(key) ?? new Set()).add(view));
  }

  /** @throws DatabaseError 112 when the entry was changed after the snapshot of the transaction. */
  checkSnapshot(key: string, { since }: View): void {
    if ((this.changed.get(key) ?? 0) > since) throw conflict();
  }

  /** A write was carried out; it counts from now on, but is shown only when it is committed. @returns its number. */
  record(keys: Iterable<string>): number {
    this.last += 1;
    for (const key of keys) {
      this.changed.delete(key);
      this.changed.set(key, this.last);
    }
    return this.last;
  }

  /** A write is committed, and all before it. */
  show(number: number): void {
    this.shown = Math.max(this.shown, number);
    this.forget();
  }

  /** Drops the changes that every open snapshot, and the next, shows. */
  private forget(): void {
    const [oldest] = this.open;
    const horizon = oldest?.since ?? this.shown;
    for (const [key, number] of this.changed) {
      if (number > horizon) return;
      this.changed.delete(key);
    }
  }
}
