import { BSONRegExp, Int32 } from "bson";
import { check, notSupported } from "./errors.js";
import type { Index } from "./indexes.js";
import { BEHIND, encodeKey, invert, storedRange } from "./keys.js";
import type { Clause } from "./matcher.js";
import { isNaNValue } from "./numbers.js";
import { distinctValues, equal, type SortField } from "./ordering.js";
import { isArrayIndex } from "./paths.js";
import { anchoredPrefix } from "./regex.js";
import type { Range } from "./storage.js";
import { isDocument, kindOf } from "./values.js";

/** How the candidates of a filter are read; every candidate still passes through the filter. */
export interface Plan {
  stage: "EOF" | "COLLSCAN" | "IXSCAN" | "IDHACK" | "OR";
  index?: Index;
  ranges: Range[];
  /** Of OR: one plan for each branch. */
  branches: Plan[];
  reverse: boolean;
  /** Candidates come in the order wanted. */
  sorted: boolean;
  /** More of it is better; 0 reads everything. */
  score: number;
}

const SCAN: Plan = { stage: "COLLSCAN", ranges: [], branches: [], reverse: false, sorted: false, score: 0 };
/** The plan of a collection that is not there. */
export const NOTHING: Plan = { ...SCAN, stage: "EOF", sorted: true };

/** What one field, a range, and the order are worth. `$or` is worth more than an order alone. */
const SCORES = { value: 100, values: 90, range: 50, alternatives: 35, order: 30, unique: 20 };
/** More values than this in front are not multiplied with those of the next field, which is left to the filter. */
const MOST_RANGES = 1000;

type Clauses = readonly Clause[];
type Order = readonly SortField[];

/**
 * Takes the index with the most equality and `$in` fields in front, then a range, then the order; without an index that
 * helps, a scan.
 * @throws DatabaseError 2 for a hint that names no index, 291 for one that cannot serve the filter.
 */
export function choosePlan(indexes: readonly Index[], filter: Clause, sort: Order, hint: unknown): Plan {
  const scan = { ...SCAN, sorted: sort.length === 0 };
  if (isDocument(hint) && equal(hint, { $natural: new Int32(1) })) return scan;
  const clauses = conjuncts(filter);
  if (hint === undefined) return best(scan, ...alternatives(indexes, clauses), ...plansFor(indexes, clauses, sort));
  if (typeof hint !== "string") throw notSupported("a hint that is neither the name of an index nor { $natural: 1 }");
  const hinted = indexes.filter(({ name }) => name === hint);
  check(hinted.length > 0, 2, "hint provided does not correspond to an existing index");
  const [plan] = plansFor(hinted, clauses, sort);
  check(plan !== undefined, 291, "the hinted index does not hold every document that the filter takes");
  return plan;
}

function best(scan: Plan, ...plans: readonly Plan[]): Plan {
  return plans.reduce((one, other) => (other.score > one.score ? other : one), scan);
}

/** All that must hold at once: `$and` laid flat. */
function conjuncts(clause: Clause): Clause[] {
  return clause.operator === "$and" ? (clause.children ?? []).flatMap(conjuncts) : [clause];
}

/** A plan for `$or` when every branch has an index that narrows it. */
function alternatives(indexes: readonly Index[], clauses: Clauses): Plan[] {
  for (const { children = [] } of clauses.filter(({ operator }) => operator === "$or")) {
    const branches = children.map((child) => best(SCAN, ...plansFor(indexes, [...conjuncts(child), ...clauses], [])));
    if (branches.every(({ index }) => index)) return [{ ...SCAN, stage: "OR", branches, score: SCORES.alternatives }];
  }
  return [];
}

/** The plans of the indexes that surely hold every document that the filter takes: a sparse one when it asks for a field. */
function plansFor(indexes: readonly Index[], clauses: Clauses, sort: Order): Plan[] {
  const whole = indexes.filter(({ spec, partial, fields }) => {
    const present = fields.some(({ name }) => clauses.some(({ path, test }) => path === name && !test({})));
    return (spec.sparse !== true || present) && (partial === undefined || implies(clauses, partial));
  });
  return whole.map((index) => planFor(index, clauses, sort));
}

/** Whether the filter says, in the same words, all that a partial index asks. */
function implies(clauses: Clauses, partial: Clause): boolean {
  return conjuncts(partial).every(({ path, operator, operand }) =>
    clauses.some((one) => path && one.path === path && one.operator === operator && equal(one.operand, operand)),
  );
}

function planFor(index: Index, clauses: Clauses, sort: Order): Plan {
  const { fields, multikey } = index;
  let prefixes = [Buffer.alloc(0)];
  let last: readonly Interval[] = [{ start: Buffer.alloc(0), end: BEHIND, point: false }];
  /** How many fields in front have one value. */
  let single = 0;
  let score = 0;
  for (const [at, { name, path, descending }] of fields.entries()) {
    // Of two fields within arrays only one is bounded: another element may satisfy the other's condition.
    const free = path.some(isArrayIndex) || (multikey[at] === true && multikey.slice(0, at).includes(true));
    const conditions = free ? [] : clauses.filter((clause) => clause.path === name);
    const lists = conditions.map((clause) => intervalsOf(clause, descending)).filter((list) => list !== undefined);
    const points = lists.filter((list) => list.every(({ point }) => point)).sort((a, b) => a.length - b.length)[0];
    if (points === undefined || prefixes.length * points.length > MOST_RANGES) {
      const [first, ...others] = lists;
      last = points ?? (multikey[at] ? first : first && others.reduce(intersect, first)) ?? last;
      score += lists.length > 0 ? SCORES.range : 0;
      break;
    }
    prefixes = prefixes.flatMap((prefix) => points.map(({ start }) => Buffer.concat([prefix, start])));
    single += points.length === 1 && single === at ? 1 : 0;
    score += points.length === 1 ? SCORES.value : SCORES.values;
  }
  const ranges = prefixes.flatMap((prefix) =>
    last.map(({ start, end }) => storedRange(Buffer.concat([prefix, start]), Buffer.concat([prefix, end]))),
  );
  ranges.sort((a, b) => Buffer.compare(a.start, b.start));
  const direction = directionOf(index, sort, single);
  if (score > 0) score += (index.unique && single === fields.length ? SCORES.unique : 0) - fields.length;
  if (sort.length > 0 && direction !== undefined) score += SCORES.order;
  const stage = index.name === "_id_" && single === 1 ? "IDHACK" : "IXSCAN";
  return { ...SCAN, stage, index, ranges, reverse: direction === -1, sorted: direction !== undefined, score };
}

/** Stored keys of one index field that a condition leaves: `start` included, `end` not; a point is one value. */
interface Interval {
  start: Buffer;
  end: Buffer;
  point: boolean;
}

function intersect(some: readonly Interval[], others: readonly Interval[]): readonly Interval[] {
  return some.flatMap((a) =>
    others.map((b) => ({
      start: Buffer.compare(a.start, b.start) > 0 ? a.start : b.start,
      end: Buffer.compare(a.end, b.end) < 0 ? a.end : b.end,
      point: false,
    })),
  );
}

/** What a condition leaves of a field, nothing twice; undefined when it is left to the filter. */
function intervalsOf({ operator, operand }: Clause, descending: boolean): readonly Interval[] | undefined {
  /** All keys that begin with these bytes. */
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

/** 1 or -1 when reading the index that way gives the order; fields fixed to one value do not matter to it. */
function directionOf({ fields, multikey, cut }: Index, sort: Order, single: number): 1 | -1 | undefined {
  const fixed = fields.filter((_, at) => at < single && multikey[at] !== true).map(({ name }) => name);
  let direction: 1 | -1 | undefined;
  let at = 0;
  for (const { name, descending } of sort.filter((one) => !fixed.includes(one.name))) {
    while (at < single && fields[at]?.name !== name) at += 1;
    const field = fields[at];
    if (cut || field?.name !== name || multikey[at] === true || field.path.some(isArrayIndex)) return undefined;
    const needed = field.descending === descending ? 1 : -1;
    if ((direction ?? needed) !== needed) return undefined;
    direction = needed;
    at += 1;
  }
  return direction ?? 1;
}
