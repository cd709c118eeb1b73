import { BSONRegExp } from "bson";
import type { Clause } from "./matcher.js";
import { compare, equal, rankOf } from "./ordering.js";
import { writePath } from "./update-paths.js";
import { type Document, isNullish } from "./values.js";

/** True when a document that satisfies the condition surely has the field, so that a sparse index holds it. */
export function impliesPresence({ operator, operand }: Clause): boolean {
  switch (operator) {
    case "$eq":
    case "$gt":
    case "$gte":
    case "$lt":
    case "$lte":
      return !isNullish(operand) && rankOf(operand) !== rankOf(null);
    case "$in":
      return (operand as unknown[]).every((value) => !isNullish(value));
    case "$exists":
    case "$regex":
    case "$type":
    case "$size":
    case "$elemMatch":
    case "$mod":
      return true;
    default:
      return false;
  }
}

/** True when everything that satisfies all of `clauses` surely satisfies the filter of a partial index. */
export function impliesPartial(clauses: readonly Clause[], partial: Clause): boolean {
  switch (partial.operator) {
    case "$and":
      return (partial.children ?? []).every((child) => impliesPartial(clauses, child));
    case "$or":
      return (partial.children ?? []).some((child) => impliesPartial(clauses, child));
    default:
      return clauses.some(
        (clause) => clause.path !== undefined && clause.path === partial.path && impliesOne(clause, partial),
      );
  }
}

function impliesOne(clause: Clause, partial: Clause): boolean {
  const values =
    clause.operator === "$eq"
      ? [clause.operand]
      : clause.operator === "$in"
        ? (clause.operand as unknown[])
        : undefined;
  if (values !== undefined) {
    return values.every(
      (value) =>
        !(value instanceof BSONRegExp) && !Array.isArray(value) && !isNullish(value) && satisfies(value, partial),
    );
  }
  switch (partial.operator) {
    case "$exists":
      return impliesPresence(clause);
    case "$gt":
    case "$gte":
    case "$lt":
    case "$lte":
      return narrower(clause, partial);
    default:
      return clause.operator === partial.operator && equal(clause.operand, partial.operand);
  }
}

function satisfies(value: unknown, { path, test }: Clause): boolean {
  const document: Document = {};
  writePath(document, (path ?? "").split("."), value);
  return test(document);
}

/** A range in the same direction that ends no later. */
function narrower({ operator, operand }: Clause, partial: Clause): boolean {
  if (
    operator.slice(0, 2) !== partial.operator.slice(0, 2) ||
    !/^\$[gl]te?$/.test(operator) ||
    rankOf(operand) !== rankOf(partial.operand)
  ) {
    return false;
  }
  const difference = compare(operand, partial.operand) * (operator.startsWith("$g") ? 1 : -1);
  return difference > 0 || (difference === 0 && (operator === partial.operator || partial.operator.endsWith("e")));
}
