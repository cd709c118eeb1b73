/** A learner and a course in an acknowledged request. */
export interface Pair {
  readonly userId: string;
  readonly courseId: string;
}

/** The acknowledged value of a setting, and the values of requests without a reply. */
interface Settings<T> {
  acknowledged?: T;
  /** Values that may be in force now or later. */
  readonly unanswered: T[];
}

/** The acknowledged sum of additions, and the sum of requests without a reply. */
interface Additions {
  acknowledged: number;
  unanswered: number;
}

/** Records what the servers have acknowledged, and what requests without a reply may have done. */
export class Journal {
  /** Verified checkouts. */
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
  /** Ids of users whose erasure was accepted, and of all users who requested one. */
  readonly erased = new Set<string>();
  readonly erasing = new Set<string>();
  /** SHA-256 of every payment webhook with a 200 reply. */
  readonly webhooks = new Set<string>();
  private readonly settings = new Map<string, Settings<unknown>>();
  private readonly additions = new Map<string, Additions>();

  /** Records a request that sets a value. `answered` means that the server has acknowledged it. */
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
