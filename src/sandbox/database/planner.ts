import { EVERYTHING, type Interval, intersect, intervalsOf, pointKey, rangeOf } from "./bounds.js";
import type { Collection, Index } from "./collection.js";
import { DatabaseError } from "./errors.js";
import { impliesPartial, impliesPresence } from "./implication.js";
import type { Clause } from "./matcher.js";
import { equal } from "./ordering.js";
import { isArrayIndex } from "./paths.js";
import type { SortField } from "./sorting.js";
import type { Range } from "./storage.js";
import { isDocument } from "./values.js";

/** How the candidates of a filter are read; every candidate still passes through the filter. */
export type Plan =
  | { stage: "COLLSCAN"; reverse: boolean; sorted: boolean }
  | { stage: "IXSCAN" | "IDHACK"; index: Index; ranges: Range[]; reverse: boolean; sorted: boolean }
  | { stage: "OR"; branches: Plan[]; sorted: false };

/** More ranges than this and the remaining conditions are left to the filter. */
const MOST_RANGES = 1000;

interface Candidate {
  plan: Plan;
  score: number;
  bounded: boolean;
}

/**
 * Chooses equality and `$in` prefixes first, then a range, then the order wanted; without an index that helps, a scan.
 * @throws DatabaseError 2 for a hint that names no index, 291 for one that cannot serve the filter.
 */
export function choosePlan(collection: Collection, filter: Clause, sort: readonly SortField[], hint?: unknown): Plan {
  const clauses = conjuncts(filter);
  const natural = naturalOrder(hint);
  if (natural !== undefined) {
    return { stage: "COLLSCAN", reverse: natural < 0, sorted: sort.length === 0 };
  }
  const indexes =
    hint === undefined ? collection.indexes.filter(({ spec }) => spec.hidden !== true) : [hinted(collection, hint)];
  const candidates = indexes.flatMap((index) => candidateFor(index, clauses, sort, hint !== undefined));
  const best = candidates.sort((a, b) => b.score - a.score)[0];
  if (best === undefined && hint !== undefined) {
    throw new DatabaseError(291, "the hinted partial index does not hold every document the filter takes");
  }
  if (best !== undefined && (best.bounded || hint !== undefined)) {
    return best.plan;
  }
  return (
    alternatives(collection, clauses) ?? best?.plan ?? { stage: "COLLSCAN", reverse: false, sorted: sort.length === 0 }
  );
}

function naturalOrder(spec: unknown): number | undefined {
  return isDocument(spec) && Object.hasOwn(spec, "$natural") ? Number(String(spec.$natural)) : undefined;
}

function hinted(collection: Collection, hint: unknown): Index {
  const index = collection.indexes.find(({ name, spec }) =>
    typeof hint === "string" ? name === hint : equal(spec.key, hint),
  );
  if (index === undefined) {
    throw new DatabaseError(
      2,
      "error processing query: planner returned error: bad hint: hint provided does not correspond to an existing index",
    );
  }
  return index;
}

/** Everything that must hold at once, `$and` within `$and` laid flat. */
function conjuncts(clause: Clause): Clause[] {
  return clause.operator === "$and" ? (clause.children ?? []).flatMap(conjuncts) : [clause, ...withinElement(clause)];
}

/** What `{ list: { $elemMatch: { field: … } } }` says about `list.field`. */
function withinElement({ operator, path, children }: Clause): Clause[] {
  if (operator !== "$elemMatch" || path === undefined) {
    return [];
  }
  return (children ?? [])
    .flatMap(conjuncts)
    .map((inner) => (inner.path === undefined ? inner : { ...inner, path: `${path}.${inner.path}` }));
}

/** A plan for `$or` when every branch has a bounded one. */
function alternatives(collection: Collection, clauses: readonly Clause[]): Plan | undefined {
  for (const clause of clauses) {
    if (clause.operator === "$or" && clause.children !== undefined) {
      const branches = clause.children.map((branch) => {
        const all = [...conjuncts(branch), ...clauses.filter((other) => other !== clause)];
        const candidates = collection.indexes
          .filter(({ spec }) => spec.hidden !== true)
          .flatMap((index) => candidateFor(index, all, [], false));
        return candidates.filter(({ bounded }) => bounded).sort((a, b) => b.score - a.score)[0]?.plan;
      });
      const found = branches.filter((plan) => plan !== undefined);
      if (found.length === branches.length) {
        return { stage: "OR", branches: found, sorted: false };
      }
    }
  }
  return undefined;
}

function candidateFor(
  index: Index,
  clauses: readonly Clause[],
  sort: readonly SortField[],
  forced: boolean,
): Candidate[] {
  const { fields, sparse, partial, multikey } = index;
  const complete =
    !sparse || fields.some(({ name }) => clauses.some((clause) => clause.path === name && impliesPresence(clause)));
  if (!(complete || forced) || (partial !== undefined && !impliesPartial(clauses, partial))) {
    return [];
  }
  let prefixes = [Buffer.alloc(0)];
  let last: { intervals: readonly Interval[]; descending: boolean } | undefined;
  let [points, single, score, spread] = [0, 0, 0, false];
  for (const [at, { name, path, descending }] of fields.entries()) {
    const intervals =
      path.some(isArrayIndex) || (spread && multikey[at])
        ? undefined
        : fieldIntervals(clauses, name, multikey[at] === true);
    if (intervals === undefined) {
      break;
    }
    spread ||= multikey[at] === true;
    if (intervals.every(({ point }) => point) && prefixes.length * intervals.length <= MOST_RANGES) {
      prefixes = prefixes.flatMap((prefix) =>
        intervals.map((interval) => Buffer.concat([prefix, pointKey(interval, descending)])),
      );
      points += 1;
      score += intervals.length === 1 ? 100 : 90;
      single += intervals.length === 1 && single === at ? 1 : 0;
    } else {
      last = { intervals, descending };
      score += 50;
      break;
    }
  }
  const bounded = points > 0 || last !== undefined;
  const ranges = prefixes.flatMap((prefix) =>
    last === undefined
      ? [rangeOf(prefix, undefined, false)]
      : last.intervals.map((interval) => rangeOf(prefix, interval, last?.descending === true)),
  );
  ranges.sort((a, b) => Buffer.compare(a.start ?? Buffer.alloc(0), b.start ?? Buffer.alloc(0)));
  const direction = sort.length === 0 ? 1 : sortDirection(index, sort, single);
  if (!bounded && (sort.length === 0 || direction === undefined) && !forced) {
    return [];
  }
  const byId = index.name === "_id_" && single === 1;
  score +=
    (sort.length > 0 && direction !== undefined ? 30 : 0) +
    (index.unique && single === fields.length ? 20 : 0) -
    fields.length;
  const plan: Plan = {
    stage: byId ? "IDHACK" : "IXSCAN",
    index,
    ranges,
    reverse: direction === -1,
    sorted: direction !== undefined,
  };
  return [{ plan, score, bounded }];
}

/** Where a field's values can lie. A multikey field takes one condition only: another element may satisfy the next. */
function fieldIntervals(clauses: readonly Clause[], name: string, multikey: boolean): readonly Interval[] | undefined {
  const found = clauses
    .filter(({ path }) => path === name)
    .flatMap((clause) => {
      const intervals = intervalsOf(clause);
      return intervals === undefined ? [] : [intervals];
    });
  if (found.length === 0) {
    return undefined;
  }
  if (!multikey) {
    return found.reduce<readonly Interval[]>(intersect, EVERYTHING);
  }
  const fewest = found.filter((intervals) => intervals.every(({ point }) => point)).sort((a, b) => a.length - b.length);
  return fewest[0] ?? found[0];
}

/** 1 or -1 when reading the index that way gives the order; fields fixed to one value do not matter to it. */
function sortDirection(
  { fields, multikey, cut }: Index,
  sort: readonly SortField[],
  single: number,
): 1 | -1 | undefined {
  if (cut) {
    return undefined;
  }
  const fixed = new Set(fields.slice(0, single).flatMap(({ name }, at) => (multikey[at] === true ? [] : [name])));
  let direction: 1 | -1 | undefined;
  let at = 0;
  for (const { name, descending } of sort) {
    if (fixed.has(name)) {
      continue;
    }
    while (at < single && fields[at]?.name !== name) {
      at += 1;
    }
    const field = fields[at];
    if (field?.name !== name || multikey[at] === true || field.path.some(isArrayIndex)) {
      return undefined;
    }
    const needed = field.descending === descending ? 1 : -1;
    if (direction !== undefined && direction !== needed) {
      return undefined;
    }
    direction = needed;
    at += 1;
  }
  return direction ?? 1;
}
