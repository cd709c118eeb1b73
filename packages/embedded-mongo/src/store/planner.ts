import { BSONRegExp, Int32 } from "bson";
import { check, notSupported } from "../errors.js";
import type { Clause } from "../language/matcher.js";
import { isNaNValue } from "../language/numbers.js";
import { distinctValues, equal, type SortField } from "../language/ordering.js";
import { anchoredPrefix } from "../language/regex.js";
import { isDocument, kindOf } from "../language/values.js";
import type { Index } from "./indexes.js";
import { BEHIND, encodeKey, invert, LONGEST_KEY } from "./keys.js";
import type { Range } from "./view.js";

/** How the candidates of a filter are read; every candidate still passes through the filter. */
export interface Plan {
  stage: "EOF" | "RECORD_STORE_FAST_COUNT" | "COLLSCAN" | "IXSCAN" | "OR";
  index?: Index;
  ranges: Range[];
  /** Each range begins with the whole key of the one entry that it may have. */
  exact: boolean;
  /** Of OR: one plan for each branch. */
  branches: Plan[];
  reverse: boolean;
  /** Candidates come in the order wanted. */
  sorted: boolean;
  /** More of it is better; 0 reads everything. */
  score: number;
}

const SCAN: Plan = {
  ...{ stage: "COLLSCAN", ranges: [], exact: false, branches: [], reverse: false, sorted: false, score: 0 },
};
/** The plan of a collection that is not there. */
export const NOTHING: Plan = { ...SCAN, stage: "EOF", sorted: true };

/**
 * What one field, a range, and the order are worth; and that no range has more than one entry. `$or` is worth more than an
 * order alone.
 */
const SCORES = { value: 100, values: 90, range: 50, alternatives: 35, order: 30, unique: 100 };
const NO_BYTES = Buffer.alloc(0);
/** Rather than read more ranges than this, a field behind another is left to the filter. */
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
  if (hint === undefined) {
    const useful = indexes.filter(({ fields: [first] }) => sort.length > 0 || narrows(clauses, first));
    return byId(useful, clauses) ?? best(scan, ...alternatives(indexes, clauses), ...plansFor(useful, clauses, sort));
  }
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

/** The plan of a filter that names the one `_id`: nothing reads less, and at most one document has any order. */
function byId(indexes: readonly Index[], clauses: Clauses): Plan | undefined {
  const clause = clauses.find(({ path, operator }) => path === "_id" && operator === "$eq");
  const index = clause && indexes.find(({ name }) => name === "_id_");
  const [point] = (index && intervalsOf(clause, false)) ?? [];
  if (index === undefined || point === undefined) return undefined;
  const range = { start: joined(NO_BYTES, point.start), end: joined(NO_BYTES, point.end) };
  const score = SCORES.value + SCORES.unique;
  return { ...SCAN, stage: "IXSCAN", index, ranges: [range], exact: true, sorted: true, score };
}

const narrows = (clauses: Clauses, field: Index["fields"][number] | undefined): boolean =>
  clauses.some(({ path }) => path === field?.name);

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
    if (spec.sparse !== true && partial === undefined) return true;
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

/** Bounds the fields of an index one after another while each has only some values; the first that has a range is the last. */
function planFor(index: Index, clauses: Clauses, sort: Order): Plan {
  const { fields, multikey } = index;
  let ranges: Interval[] = [{ start: NO_BYTES, end: BEHIND }];
  /** How many fields in front have one value. */
  let single = 0;
  let score = 0;
  let pointed = 0;
  // Of a multikey index one condition bounds one field: another element of the array may satisfy another condition.
  for (const [at, { name, descending }] of (multikey ? fields.slice(0, 1) : fields).entries()) {
    const conditions = clauses.filter(({ path }) => path === name);
    if (conditions.length === 0) break;
    const lists = conditions.map((clause) => intervalsOf(clause, descending)).filter((list) => list !== undefined);
    const points = lists.filter((list) => list.every(({ point }) => point)).sort((a, b) => a.length - b.length)[0];
    const [first, ...others] = lists;
    const narrowed = points ?? (multikey ? first : first && others.reduce(intersect, first));
    if (narrowed === undefined || (at > 0 && ranges.length * narrowed.length > MOST_RANGES)) break;
    ranges = ranges.flatMap(({ start: prefix }) =>
      narrowed.map(({ start, end }) => ({ start: joined(prefix, start), end: joined(prefix, end) })),
    );
    score += points === undefined ? SCORES.range : points.length === 1 ? SCORES.value : SCORES.values;
    if (points === undefined) break;
    pointed += 1;
    single += points.length === 1 && single === at ? 1 : 0;
  }
  ranges.sort((a, b) => Buffer.compare(a.start, b.start));
  const reverse = turned(index, sort, single);
  if (score > 0) score -= fields.length;
  const exact = index.unique && pointed === fields.length;
  if (exact) score += SCORES.unique;
  if (sort.length > 0 && reverse !== undefined) score += SCORES.order;
  const order = { reverse: reverse === true, sorted: reverse !== undefined };
  return { ...SCAN, stage: "IXSCAN", index, ranges, exact, ...order, score };
}

/** Stored keys of one index field that a condition leaves: `start` included, `end` not; a point is one value. */
interface Interval {
  start: Buffer;
  end: Buffer;
  point?: boolean;
}

/** A bound so short that it can be looked for; no key begins with all of it, so none comes between it and the whole. */
function joined(prefix: Buffer, bytes: Buffer): Buffer {
  return Buffer.concat([prefix, bytes]).subarray(0, LONGEST_KEY + BEHIND.length);
}

function intersect(some: readonly Interval[], others: readonly Interval[]): readonly Interval[] {
  return some.flatMap((a) =>
    others.map((b) => ({
      start: Buffer.compare(a.start, b.start) > 0 ? a.start : b.start,
      end: Buffer.compare(a.end, b.end) < 0 ? a.end : b.end,
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

/** Whether the index gives the order when it is read backwards; undefined when it does not give it at all. */
function turned({ fields, multikey }: Index, sort: Order, single: number): boolean | undefined {
  // A field fixed to one value does not matter to the order, unless arrays have it among others.
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
