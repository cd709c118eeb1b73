import { BSONRegExp } from "bson";
import { check } from "./errors.js";
import type { Index } from "./indexes.js";
import { BEHIND, encodeKey, invert, storedBound } from "./keys.js";
import type { Clause } from "./matcher.js";
import { isNaNValue } from "./numbers.js";
import { equal } from "./ordering.js";
import { isArrayIndex } from "./paths.js";
import { anchoredPrefix } from "./regex.js";
import type { SortField } from "./sorting.js";
import type { Range } from "./storage.js";
import { isDocument, isNullish, kindOf } from "./values.js";

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

/** The stored keys of one index field that a condition leaves, as bytes: `start` included, `end` not. */
interface Interval {
  start: Buffer;
  end: Buffer;
  /** It is one value. */
  point: boolean;
}

/** More values than this in front are not multiplied with those of the next field, which is left to the filter. */
const MOST_RANGES = 1000;

/**
 * Takes the index with the most equality and `$in` fields in front, then a range, then the order; without an index that
 * helps, a scan.
 * @throws DatabaseError 2 for a hint that names no index, 291 for one that cannot serve the filter.
 */
export function choosePlan(
  indexes: readonly Index[],
  filter: Clause,
  sort: readonly SortField[],
  hint?: unknown,
): Plan {
  const natural = isDocument(hint) ? hint.$natural : undefined;
  const scan = { ...SCAN, sorted: sort.length === 0, reverse: String(natural) === "-1" };
  if (natural !== undefined) return scan;
  const clauses = conjuncts(filter);
  if (hint !== undefined && hint !== null && !(isDocument(hint) && Object.keys(hint).length === 0)) {
    const hinted = indexes.find(({ name, spec }) => (typeof hint === "string" ? name === hint : equal(spec.key, hint)));
    check(hinted !== undefined, 2, "bad hint: hint provided does not correspond to an existing index");
    const holds = hinted.partial === undefined || implies(clauses, hinted.partial);
    check(holds, 291, "the hinted partial index does not hold every document the filter takes");
    return planFor(hinted, clauses, sort);
  }
  const best = bestOf(indexes, clauses, sort);
  if (best !== undefined && best.score > 0) return best;
  return alternatives(indexes, clauses) ?? (best?.sorted && sort.length > 0 ? best : scan);
}

/** Everything that must hold at once: `$and` laid flat, and what `{ list: { $elemMatch: { x } } }` says about `list.x`. */
function conjuncts(clause: Clause): Clause[] {
  const inner = (clause.children ?? []).flatMap(conjuncts);
  if (clause.operator === "$and") return inner;
  if (clause.operator !== "$elemMatch") return [clause];
  return [clause, ...inner.filter(({ path }) => path).map((one) => ({ ...one, path: `${clause.path}.${one.path}` }))];
}

function bestOf(indexes: readonly Index[], clauses: readonly Clause[], sort: readonly SortField[]): Plan | undefined {
  const plans = indexes.filter((index) => holdsAll(index, clauses)).map((index) => planFor(index, clauses, sort));
  const rank = ({ score, sorted }: Plan) => score + (sorted && sort.length > 0 ? 30 : 0);
  return plans.sort((a, b) => rank(b) - rank(a))[0];
}

/** A plan for `$or` when every branch has an index that narrows it. */
function alternatives(indexes: readonly Index[], clauses: readonly Clause[]): Plan | undefined {
  for (const { children = [] } of clauses.filter(({ operator }) => operator === "$or")) {
    const branches = children.flatMap((child) => {
      const plan = bestOf(indexes, [...conjuncts(child), ...clauses], []);
      return plan !== undefined && plan.score > 0 ? [plan] : [];
    });
    if (branches.length === children.length) return { ...SCAN, stage: "OR", branches };
  }
  return undefined;
}

/** Whether a sparse or partial index surely holds every document that the filter takes. */
function holdsAll({ sparse, partial, fields }: Index, clauses: readonly Clause[]): boolean {
  const present = fields.some(({ name }) => clauses.some((clause) => clause.path === name && impliesPresence(clause)));
  return (!sparse || present) && (partial === undefined || implies(clauses, partial));
}

function impliesPresence({ operator, operand }: Clause): boolean {
  if (operator === "$in") return (operand as unknown[]).every((value) => !isNullish(value));
  if (/^\$(eq|[gl]te?)$/.test(operator)) return !isNullish(operand);
  return ["$exists", "$regex", "$type", "$size", "$elemMatch", "$mod"].includes(operator);
}

/** Whether the filter says what the partial index asks: in the same words, or an equality with one of its values. */
function implies(clauses: readonly Clause[], { operator, operand, path, children = [] }: Clause): boolean {
  if (operator === "$and") return children.every((child) => implies(clauses, child));
  const same = clauses.filter((clause) => path !== undefined && clause.path === path);
  if (operator === "$exists") return same.some(impliesPresence);
  const values = operator === "$in" ? (operand as unknown[]) : operator === "$eq" ? [operand] : [];
  return same.some(
    (clause) =>
      (clause.operator === operator && equal(clause.operand, operand)) ||
      (clause.operator === "$eq" && values.some((value) => equal(value, clause.operand))),
  );
}

function planFor(index: Index, clauses: readonly Clause[], sort: readonly SortField[]): Plan {
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
      score += lists.length > 0 ? 50 : 0;
      break;
    }
    prefixes = prefixes.flatMap((prefix) => points.map(({ start }) => Buffer.concat([prefix, start])));
    single += points.length === 1 && single === at ? 1 : 0;
    score += points.length === 1 ? 100 : 90;
  }
  const bounds = prefixes.flatMap((prefix) =>
    last.map(({ start, end }) => [Buffer.concat([prefix, start]), Buffer.concat([prefix, end])] as const),
  );
  const ranges = bounds.map(([start, end]) => ({ start: storedBound(start, "start"), end: storedBound(end, "end") }));
  ranges.sort((a, b) => Buffer.compare(a.start, b.start));
  const direction = directionOf(index, sort, single);
  if (score > 0) score += (index.unique && single === fields.length ? 20 : 0) - fields.length;
  const stage = index.name === "_id_" && single === 1 ? "IDHACK" : "IXSCAN";
  return { stage, index, ranges, branches: [], reverse: direction === -1, sorted: direction !== undefined, score };
}

function intersect(some: readonly Interval[], others: readonly Interval[]): readonly Interval[] {
  const later = (a: Buffer, b: Buffer) => (Buffer.compare(a, b) > 0 ? a : b);
  const sooner = (a: Buffer, b: Buffer) => (Buffer.compare(a, b) < 0 ? a : b);
  return some.flatMap((a) =>
    others.map((b) => ({ start: later(a.start, b.start), end: sooner(a.end, b.end), point: false })),
  );
}

/** What a condition leaves of a field, nothing twice; undefined when it is left to the filter. */
function intervalsOf({ operator, operand }: Clause, descending: boolean): readonly Interval[] | undefined {
  const stored = (value: unknown, length?: number) => {
    const key = encodeKey(value).subarray(0, length);
    return descending ? invert(key) : key;
  };
  const behind = (key: Buffer) => Buffer.concat([key, BEHIND]);
  const within = (key: Buffer, point: boolean) => ({ start: key, end: behind(key), point });
  if (operator === "$eq" || operator === "$in") {
    const values = operator === "$in" ? (operand as unknown[]) : [operand];
    if (values.some((value) => Array.isArray(value) || value instanceof BSONRegExp)) return undefined;
    const keys = new Map(values.map((value) => [stored(value).toString("latin1"), stored(value)]));
    return [...keys.values()].map((key) => within(key, true));
  }
  if (operator === "$regex" && operand instanceof BSONRegExp) {
    const prefix = anchoredPrefix(operand);
    return prefix === undefined ? undefined : [within(stored(prefix, -1), false), within(stored(operand), false)];
  }
  const anyType = ["array", "minKey", "maxKey"].includes(kindOf(operand));
  if (!/^\$[gl]te?$/.test(operator) || anyType || isNaNValue(operand)) return undefined;
  const { start, end } = within(stored(operand, 1), false);
  const [lower, inclusive] = [operator.startsWith("$g") !== descending, operator.endsWith("e")];
  const edge = lower === inclusive ? stored(operand) : behind(stored(operand));
  return [lower ? { start: edge, end, point: false } : { start, end: edge, point: false }];
}

/** 1 or -1 when reading the index that way gives the order; fields fixed to one value do not matter to it. */
function directionOf({ fields, multikey, cut }: Index, sort: readonly SortField[], single: number): 1 | -1 | undefined {
  const fixed = new Set(fields.slice(0, single).flatMap(({ name }, at) => (multikey[at] === true ? [] : [name])));
  let direction: 1 | -1 | undefined;
  let at = 0;
  for (const { name, descending } of sort.filter((one) => !fixed.has(one.name))) {
    while (at < single && fields[at]?.name !== name) at += 1;
    const field = fields[at];
    if (cut || field?.name !== name || multikey[at] === true || field.path.some(isArrayIndex)) return undefined;
    const needed = field.descending === descending ? 1 : -1;
    if (direction !== undefined && direction !== needed) return undefined;
    direction = needed;
    at += 1;
  }
  return direction ?? 1;
}
