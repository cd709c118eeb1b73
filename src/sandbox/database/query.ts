import type { Collection, Stored } from "./collection.js";
import { DatabaseError } from "./errors.js";
import type { Clause, MatchDetails } from "./matcher.js";
import { choosePlan, type Plan } from "./planner.js";
import { type SortOrder, sorted } from "./sorting.js";

/** What one operation has looked at, and how long it may still work. */
export class Effort {
  keysExamined = 0;
  docsExamined = 0;
  private steps = 0;
  private began = performance.now();

  /** @param budget milliseconds of work, over all batches. */
  constructor(private budget = Number.POSITIVE_INFINITY) {}

  /** @throws DatabaseError 50 when the time is over. */
  check(): void {
    this.steps += 1;
    if (this.steps % 64 === 1 && performance.now() - this.began > this.budget) {
      throw new DatabaseError(50, "operation exceeded time limit");
    }
  }

  pause(): void {
    this.budget -= performance.now() - this.began;
  }

  resume(): void {
    this.began = performance.now();
  }
}

export interface Found extends Stored {
  details: MatchDetails;
}

export interface Query {
  filter: Clause;
  sort?: SortOrder | undefined;
  skip?: number;
  /** 0 is none. */
  limit?: number;
  hint?: unknown;
}

export interface Prepared {
  plan: Plan;
  /** A sort in memory is needed. */
  blocking: boolean;
  run: (effort: Effort) => Iterable<Found>;
}

/** Plans a query; running it may be left and taken up again, and each run begins anew. */
export function prepare(collection: Collection, query: Query): Prepared {
  const { filter, sort, skip = 0, limit = 0, hint } = query;
  const plan = choosePlan(collection, filter, sort?.fields ?? [], hint);
  const blocking = sort !== undefined && sort.fields.length > 0 && !plan.sorted;
  const end = limit === 0 ? Number.POSITIVE_INFINITY : skip + limit;
  const run = function* execute(effort: Effort): Generator<Found> {
    const matching = matches(collection, plan, filter, effort);
    const ordered = blocking ? sorted(matching, ({ document }) => sort.key(document), end) : matching;
    let seen = 0;
    for (const found of ordered) {
      seen += 1;
      if (seen > skip) {
        yield found;
      }
      if (seen >= end) {
        return;
      }
    }
  };
  return { plan, blocking, run };
}

function* matches(collection: Collection, plan: Plan, filter: Clause, effort: Effort): Generator<Found> {
  for (const stored of candidates(collection, plan, effort)) {
    effort.check();
    effort.docsExamined += 1;
    const details: MatchDetails = {};
    if (filter.test(stored.document, details)) {
      yield { ...stored, details };
    }
  }
}

function* candidates(collection: Collection, plan: Plan, effort: Effort): Generator<Stored> {
  if (plan.stage === "COLLSCAN") {
    yield* collection.scan(plan.reverse);
    return;
  }
  const seen = new Set<string>();
  const several = plan.stage === "OR" || plan.index.multikey.includes(true);
  for (const record of records(collection, plan, effort)) {
    if (several) {
      const key = record.toString("latin1");
      if (seen.has(key)) {
        continue;
      }
      seen.add(key);
    }
    const stored = collection.get(record);
    if (stored !== undefined) {
      yield stored;
    }
  }
}

function* records(collection: Collection, plan: Plan, effort: Effort): Generator<Buffer> {
  if (plan.stage === "COLLSCAN") {
    for (const { record } of collection.scan(plan.reverse)) {
      yield record;
    }
  } else if (plan.stage === "OR") {
    for (const branch of plan.branches) {
      yield* records(collection, branch, effort);
    }
  } else {
    const ranges = plan.reverse ? [...plan.ranges].reverse() : plan.ranges;
    for (const range of ranges) {
      for (const { value } of collection.entries(plan.index, { ...range, reverse: plan.reverse })) {
        effort.keysExamined += 1;
        effort.check();
        yield value;
      }
    }
  }
}
