import { BSONRegExp, Int32 } from "bson";
import { check, notSupported } from "../errors.js";
import type { Clause } from "../language/matcher.js";
import { isNaNValue } from "../language/numbers.js";
import { distinctValues, equal, type SortField } from "../language/ordering.js";
import { anchoredPrefix } from "../language/regex.js";
import { isDocument, kindOf } from "../language/values.js";
import type { Index } from "./indexes.js";
import { BEHIND, encodeKey, invert, MAX_KEY_BYTES } from "./keys.js";
import type { Range } from "./view.js";

/** Describes how to read the candidates of a filter. The filter tests every candidate again. */
export interface Plan {
  stage: "EOF" | "RECORD_STORE_FAST_COUNT" | "COLLSCAN" | "IXSCAN" | "DISTINCT_SCAN" | "OR";
  index?: Index;
  ranges: Range[];
  /** True when each range holds at most one entry and starts with its whole key. */
  exact: boolean;
  /** The plans of the branches of OR. */
  branches: Plan[];
  reverse: boolean;
  /** True when the candidates come in sort order. */
  sorted: boolean;
  /** A higher score is better; 0 reads the whole collection. */
  score: number;
}

const SCAN: Plan = {
  stage: "COLLSCAN",
  ranges: [],
  exact: false,
  branches: [],
  reverse: false,
  sorted: false,
  score: 0,
};
/** The plan of a missing collection. */
export const NOTHING: Plan = { ...SCAN, stage: "EOF", sorted: true };

/**
 * Scores of a field, a range, the sort order, and ranges with at most one entry. `$or` scores more than the sort order
 * alone.
 */
const SCORES = { value: 100, values: 90, range: 50, alternatives: 35, order: 30, unique: 100 };
const NO_BYTES = Buffer.alloc(0);
/** Above this number of ranges, the filter tests the remaining fields. */
const MAX_RANGES = 1000;

type Clauses = readonly Clause[];
type Order = readonly SortField[];

/**
 * Chooses the index with the most leading `$eq` and `$in` fields, then a range, then the sort order. Without a useful
 * index it plans a scan.
 * @throws DatabaseError 2 for a hint that names no index, 291 for an index that cannot serve the filter.
 */
export function choosePlan(indexes: readonly Index[], filter: Clause, sort: Order, hint: unknown): Plan {
  const scan = { ...SCAN, sorted: sort.length === 0 };
  if (isDocument(hint) && equal(hint, { $natural: new Int32(1) })) return scan;
  const clauses = conjuncts(filter);
  if (hint === undefined) {
    const useful = indexes.filter(({ fields: [first] }) => sort.length > 0 || narrows(clauses, first));
    return (
      byId(useful, clauses) ??
      choosePlanByScore(scan, ...alternatives(indexes, clauses), ...plansFor(useful, clauses, sort))
    );
  }
  if (typeof hint !== "string") throw notSupported("a hint that is neither the name of an index nor { $natural: 1 }");
  const hinted = indexes.filter(({ name }) => name === hint);
  check(hinted.length > 0, 2, "hint provided does not correspond to an existing index");
  const [plan] = plansFor(hinted, clauses, sort);
  check(plan !== undefined, 291, "the hinted index does not hold every document that the filter takes");
  return plan;
}

/**
 * Plans to read the documents with distinct values of a field. An index that begins with the field serves, unless
 * another index leaves fewer candidates.
 */
export function chooseDistinctPlan(indexes: readonly Index[], filter: Clause, field: SortField): Plan {
  const plan = choosePlan(indexes, filter, [field], undefined);
  const serves = plan.index?.fields[0]?.name === field.name && !plan.index.multikey;
  return serves ? { ...plan, stage: "DISTINCT_SCAN" } : choosePlan(indexes, filter, [], undefined);
}

function choosePlanByScore(scan: Plan, ...plans: readonly Plan[]): Plan {
  return plans.reduce((one, other) => (other.score > one.score ? other : one), scan);
}

/** Plans a filter on one `_id`. No plan reads less, and one document needs no sort. */
function byId(indexes: readonly Index[], clauses: Clauses): Plan | undefined {
  const clause = clauses.find(({ path, operator }) => path === "_id" && operator === "$eq");
  const index = clause && indexes.find(({ name }) => name === "_id_");
  const [point] = (index && intervalsOf(clause, false)) ?? [];
  if (index === undefined || point === undefined) return undefined;
  const range = { start: joinBounds(NO_BYTES, point.start), end: joinBounds(NO_BYTES, point.end) };
  const score = SCORES.value + SCORES.unique;
  return { ...SCAN, stage: "IXSCAN", index, ranges: [range], exact: true, sorted: true, score };
}

const narrows = (clauses: Clauses, field: Index["fields"][number] | undefined): boolean =>
  clauses.some(({ path }) => path === field?.name);

/** Flattens `$and` into its conditions. */
function conjuncts(clause: Clause): Clause[] {
  return clause.operator === "$and" ? (clause.children ?? []).flatMap(conjuncts) : [clause];
}

/** Plans `$or` when every branch has a useful index. */
function alternatives(indexes: readonly Index[], clauses: Clauses): Plan[] {
  for (const { children = [] } of clauses.filter(({ operator }) => operator === "$or")) {
    const branches = children.map((child) =>
      choosePlanByScore(SCAN, ...plansFor(indexes, [...conjuncts(child), ...clauses], [])),
    );
    if (branches.every(({ index }) => index)) return [{ ...SCAN, stage: "OR", branches, score: SCORES.alternatives }];
  }
  return [];
}

/** Plans each index that holds every match. A sparse index needs a filter that requires one of its fields. */
function plansFor(indexes: readonly Index[], clauses: Clauses, sort: Order): Plan[] {
  const whole = indexes.filter(({ spec, partial, fields }) => {
    if (spec.sparse !== true && partial === undefined) return true;
    const present = fields.some(({ name }) => clauses.some(({ path, test }) => path === name && !test({})));
    return (spec.sparse !== true || present) && (partial === undefined || implies(clauses, partial));
  });
  return whole.map((index) => planFor(index, clauses, sort));
}

/** True when the filter contains every condition of a partial index literally. */
function implies(clauses: Clauses, partial: Clause): boolean {
  return conjuncts(partial).every(({ path, operator, operand }) =>
    clauses.some((one) => path && one.path === path && one.operator === operator && equal(one.operand, operand)),
  );
}

/** Bounds the fields of an index in order. It stops after the first field with a range. */
function planFor(index: Index, clauses: Clauses, sort: Order): Plan {
  const { fields, multikey } = index;
  let ranges: Interval[] = [{ start: NO_BYTES, end: BEHIND }];
  /** Number of leading fields with one value. */
  let single = 0;
  let score = 0;
  let pointed = 0;
  // In a multikey index one condition bounds one field, because each condition can match a different array element.
  for (const [at, { name, descending }] of (multikey ? fields.slice(0, 1) : fields).entries()) {
    const conditions = clauses.filter(({ path }) => path === name);
    if (conditions.length === 0) break;
    const lists = conditions.map((clause) => intervalsOf(clause, descending)).filter((list) => list !== undefined);
    const points = lists.filter((list) => list.every(({ point }) => point)).sort((a, b) => a.length - b.length)[0];
    const [first, ...others] = lists;
    const narrowed = points ?? (multikey ? first : first && others.reduce(intersect, first));
    if (narrowed === undefined || (at > 0 && ranges.length * narrowed.length > MAX_RANGES)) break;
    ranges = ranges.flatMap(({ start: prefix }) =>
      narrowed.map(({ start, end }) => ({ start: joinBounds(prefix, start), end: joinBounds(prefix, end) })),
    );
    score += points === undefined ? SCORES.range : points.length === 1 ? SCORES.value : SCORES.values;
    if (points === undefined) break;
    pointed += 1;
    single += points.length === 1 && single === at ? 1 : 0;
  }
  ranges.sort((a, b) => Buffer.compare(a.start, b.start));
  const reverse = sortDirection(index, sort, single);
  if (score > 0) score -= fields.length;
  const exact = index.unique && pointed === fields.length;
  if (exact) score += SCORES.unique;
  if (sort.length > 0 && reverse !== undefined) score += SCORES.order;
  const order = { reverse: reverse === true, sorted: reverse !== undefined };
  return { ...SCAN, stage: "IXSCAN", index, ranges, exact, ...order, score };
}

/** Stored keys of one index field: `start` is included, `end` is not. A point is one value. */
interface Interval {
  start: Buffer;
  end: Buffer;
  point?: boolean;
}

/** Returns a bound behind all keys that begin with this value. */
export function behindValue(value: unknown, descending: boolean): Buffer {
  const key = encodeKey(value);
  return Buffer.concat([descending ? invert(key) : key, BEHIND]);
}

/** Joins two bounds and cuts them to a valid key length. Longer keys do not exist, so the cut changes no result. */
function joinBounds(prefix: Buffer, bytes: Buffer): Buffer {
  return Buffer.concat([prefix, bytes]).subarray(0, MAX_KEY_BYTES + BEHIND.length);
}

function intersect(some: readonly Interval[], others: readonly Interval[]): readonly Interval[] {
  return some.flatMap((a) =>
    others.map((b) => ({
      start: Buffer.compare(a.start, b.start) > 0 ? a.start : b.start,
      end: Buffer.compare(a.end, b.end) < 0 ? a.end : b.end,
    })),
  );
}

/** Returns the distinct intervals of a condition, or undefined when only the filter can test it. */
function intervalsOf({ operator, operand }: Clause, descending: boolean): readonly Interval[] | undefined {
  /** Covers all keys that begin with these bytes. */
  const within = (bytes: Buffer, point = false) => {
    const start = descending ? invert(bytes) : bytes;
    return { start, end: Buffer.concat([start, BEHIND]), point };
  };
  if (operator === "$eq" || operator === "$in") {
    const values = operator === "$in" ? (operand as unknown[]) : [operand];
    if (values.some((value) => Array.isArray(value) || value instanceof BSONRegExp)) return undefined;
    return distinctValues(values).map((value) => within(encodeKey(value), true));
  }
  const key = encodeKey(operand);
  if (operator === "$regex" && operand instanceof BSONRegExp) {
    const prefix = anchoredPrefix(operand);
    return prefix === undefined ? undefined : [within(encodeKey(prefix).subarray(0, -1)), within(key)];
  }
  const anyType = ["array", "minKey", "maxKey"].includes(kindOf(operand));
  if (!/^\$[gl]te?$/.test(operator) || anyType || isNaNValue(operand)) return undefined;
  const [type, value] = [within(key.subarray(0, 1)), within(key)];
  const [from, to] = operator.endsWith("e") ? [value.start, value.end] : [value.end, value.start];
  return [operator.startsWith("$g") !== descending ? { ...type, start: from } : { ...type, end: to }];
}

/**
 * Returns whether the index gives the sort order when read backwards, or undefined when it does not give that order.
 */
function sortDirection({ fields, multikey }: Index, sort: Order, single: number): boolean | undefined {
  // A field with one value does not change the order, unless it holds arrays.
  const fixed = multikey ? [] : fields.slice(0, single).map(({ name }) => name);
  const turns = sort
    .filter(({ name }) => !fixed.includes(name))
    .map(({ name, descending }, at) => {
      const field = fields[fixed.length + at];
      return field?.name === name && !multikey ? field.descending !== descending : undefined;
    });
  if (turns.length === 0) return false;
  return turns.every((turn) => turn === turns[0]) ? turns[0] : undefined;
}
