import { check, notSupported } from "../errors.js";
import type { Collection, Stored } from "../store/catalog.js";
import type { Index } from "../store/indexes.js";
import { behindValue, chooseDistinctPlan, choosePlan, NOTHING, type Plan } from "../store/planner.js";
import type { Range } from "../store/view.js";
import { rootScope } from "./expressions.js";
import { type Clause, compileFilter, type MatchDetails } from "./matcher.js";
import { compileSort, part, type SortField, sorted } from "./ordering.js";
import { valueAt } from "./paths.js";
import type { Document } from "./values.js";

/** Counts the work of one operation and keeps its time limit. */
export class Effort {
  keysExamined = 0;
  docsExamined = 0;
  private began = performance.now();

  /**
   * @param budget milliseconds of work in each batch.
   * @param whole the operation that this is a part of; it has the time limit.
   */
  constructor(
    private readonly budget = Number.POSITIVE_INFINITY,
    private readonly whole?: Effort,
  ) {}

  /** Milliseconds that are left. */
  get left(): number {
    if (this.whole) return this.whole.left;
    return this.budget - (performance.now() - this.began);
  }

  /** Checks the time limit. @throws DatabaseError 50 when it is exceeded. */
  check(): void {
    check(this.left >= 0, 50, "operation exceeded time limit");
  }

  /** Restarts the time limit for another batch. */
  resume(): void {
    this.began = performance.now();
  }
}

export interface Found extends Stored {
  details: MatchDetails;
}

export interface Query {
  filter?: Document | undefined;
  /** Refuses `$expr`, as MongoDB does in an upsert. */
  upsert?: boolean | undefined;
  sort?: Document | undefined;
  skip?: number | undefined;
  /** 0 means no limit. */
  limit?: number | undefined;
  hint?: unknown;
  /** Asks for at least one match with each value of this field, instead of all matches. */
  distinct?: string;
}

export interface Prepared {
  filter: Clause;
  plan: Plan;
  /** True when the query sorts in memory. */
  blocking: boolean;
  /** The stores that the query reads. */
  stores: number[];
  run: (effort: Effort) => Iterable<Found>;
}

/**
 * Compiles and plans a query. Without a collection it finds nothing. A run can be paused, and each run starts from the
 * beginning.
 */
export function prepare(collection: Collection | undefined, query: Query, scope = rootScope()): Prepared {
  const { sort: order = {}, skip = 0, limit = 0 } = query;
  const filter = compileFilter(query.filter ?? {}, query.upsert ? undefined : scope);
  if (Object.hasOwn(order, "$natural")) throw notSupported("$natural as an order");
  const sort = Object.keys(order).length === 0 ? undefined : compileSort(order);
  const plan = collection ? planOf(collection, query, filter, sort?.fields ?? []) : NOTHING;
  const blocking = sort !== undefined && !plan.sorted;
  const end = limit === 0 ? Number.POSITIVE_INFINITY : skip + limit;
  const run = function* execute(effort: Effort): Generator<Found> {
    const matching = collection ? findMatches(collection, plan, filter, effort) : [];
    yield* part(blocking ? sorted(matching, ({ document }) => sort.key(document), end) : matching, skip, end);
  };
  return { filter, plan, blocking, stores: collection ? [collection.store, ...storesOf(plan)] : [], run };
}

function planOf({ indexes }: Collection, { hint, distinct }: Query, filter: Clause, sort: SortField[]): Plan {
  if (distinct === undefined) return choosePlan(indexes, filter, sort, hint);
  return chooseDistinctPlan(indexes, filter, { name: distinct, path: distinct.split("."), descending: false });
}

/** Prepares a query for every document of a collection by their number alone. The found documents are empty. */
export function prepareCount(collection: Collection | undefined): Prepared {
  const run = function* execute(): Generator<Found> {
    const empty = { record: Buffer.alloc(0), document: {}, details: {} };
    for (let left = collection?.count() ?? 0; left > 0; left -= 1) yield empty;
  };
  return { ...prepare(undefined, {}), plan: { ...NOTHING, stage: "RECORD_STORE_FAST_COUNT" }, run };
}

const storesOf = ({ index, branches }: Plan): number[] => (index ? [index.store] : branches.flatMap(storesOf));

function* findMatches(collection: Collection, plan: Plan, filter: Clause, effort: Effort): Generator<Found> {
  if (plan.stage === "DISTINCT_SCAN") return yield* findDistinct(collection, plan, filter, effort);
  for (const stored of plan.stage === "COLLSCAN" ? collection.scan() : fetchDocuments(collection, plan, effort)) {
    effort.check();
    effort.docsExamined += 1;
    const details: MatchDetails = {};
    if (filter.test(stored.document, details)) yield { ...stored, details };
  }
}

/** Yields a match for each value of the index's first field and skips the other entries of that value. */
function* findDistinct(collection: Collection, plan: Plan, filter: Clause, effort: Effort): Generator<Found> {
  const { index, ranges } = plan;
  const [field] = index?.fields ?? [];
  if (index === undefined || field === undefined) return;
  for (const range of ranges) {
    for (let start = range.start; ; ) {
      const [entry] = collection.storage.range(index.store, { ...range, ...(start && { start }), readAhead: 1 });
      const stored = entry && collection.get(entry.value);
      if (entry === undefined || stored === undefined) break;
      effort.check();
      effort.keysExamined += 1;
      effort.docsExamined += 1;
      // A missing field has the same key as null.
      const value = valueAt(stored.document, field.path);
      const details: MatchDetails = {};
      const matches = value !== undefined && filter.test(stored.document, details);
      if (matches) yield { ...stored, details };
      start = matches ? behindValue(value, field.descending) : Buffer.concat([entry.key, Buffer.of(0)]);
    }
  }
}

/** Yields each document of the plan's entries once. */
function* fetchDocuments(
  collection: Collection,
  plan: Plan,
  effort: Effort,
  seen = new Set<string>(),
): Generator<Stored> {
  const { index, ranges, exact, branches, reverse } = plan;
  for (const branch of branches) yield* fetchDocuments(collection, branch, effort, seen);
  if (index === undefined) return;
  for (const range of reverse ? ranges.toReversed() : ranges) {
    for (const record of exact
      ? entryAt(collection, index, range)
      : entriesOf(collection, index, { ...range, reverse })) {
      effort.keysExamined += 1;
      effort.check();
      const key = record.toString("latin1");
      const stored = seen.has(key) ? undefined : collection.get(record);
      seen.add(key);
      if (stored !== undefined) yield stored;
    }
  }
}

/** Reads the only record of an exact range. */
function entryAt({ storage }: Collection, { store }: Index, { start }: Range): Buffer[] {
  const record = start && storage.get(store, start);
  return record ? [record] : [];
}

function* entriesOf({ storage }: Collection, { store }: Index, range: Range): Generator<Buffer> {
  for (const { value } of storage.range(store, range)) yield value;
}
