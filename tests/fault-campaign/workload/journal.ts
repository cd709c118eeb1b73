/** One learner and one course, as it was answered. */
export interface Pair {
  readonly userId: string;
  readonly courseId: string;
}

/** What is known of a value that is set by requests, some of which were never answered. */
interface Settings<T> {
  acknowledged?: T;
  /** May be in force now, or still come into force. */
  readonly unanswered: T[];
}

/** What is known of a sum that requests add to. */
interface Additions {
  acknowledged: number;
  unanswered: number;
}

/** Everything that the servers have said they did, and what they may have done without saying it. */
export class Journal {
  /** A checkout that was verified. */
  readonly bought: { purchaseId: string; paymentId: string }[] = [];
  readonly free: { purchaseId: string }[] = [];
  readonly lectures: (Pair & { lectureId: string })[] = [];
  readonly certificates: Pair[] = [];
  readonly grants: { id: string }[] = [];
  readonly refunds: { purchaseId: string; paymentId: string }[] = [];
  readonly coupons: { id: string }[] = [];
  readonly posts: { id: string }[] = [];
  readonly replies: { id: string }[] = [];
  readonly approved: { userId: string }[] = [];
  readonly chats: { userId: string; content: string }[] = [];
  /** User ids: their erasure was accepted; and all whose erasure was asked for. */
  readonly erased = new Set<string>();
  readonly erasing = new Set<string>();
  /** SHA-256 of every payment webhook that was answered with 200. */
  readonly webhooks = new Set<string>();
  private readonly settings = new Map<string, Settings<unknown>>();
  private readonly additions = new Map<string, Additions>();

  /** A request that sets a value; `answered` is whether it was done for sure. */
  set<T>(what: Setting, key: string, value: T, answered: boolean): void {
    const known = getOr(this.settings, `${what} ${key}`, { unanswered: [] });
    if (answered) known.acknowledged = value;
    else known.unanswered.push(value);
  }

  add(what: Addition, key: string, amount: number, answered: boolean): void {
    const known = getOr(this.additions, `${what} ${key}`, { acknowledged: 0, unanswered: 0 });
    known[answered ? "acknowledged" : "unanswered"] += amount;
  }

  settingsOf<T>(what: Setting): [key: string, Settings<T>][] {
    return entriesOf(this.settings as Map<string, Settings<T>>, what);
  }

  additionsOf(what: Addition): [key: string, Additions][] {
    return entriesOf(this.additions, what);
  }
}

type Setting = "rating" | "vote" | "membership";
type Addition = "seconds" | "attempts";

function getOr<V>(map: Map<string, V>, key: string, fresh: V): V {
  const found = map.get(key) ?? fresh;
  map.set(key, found);
  return found;
}

const entriesOf = <V>(map: Map<string, V>, what: string): [string, V][] =>
  [...map].flatMap(([key, value]) => (key.startsWith(`${what} `) ? [[key.slice(what.length + 1), value]] : []));
