import { DatabaseError } from "./errors.js";
import { rootScope, type Scope } from "./expressions.js";
import { toInteger, toNumber } from "./numbers.js";
import { compileSort, type SortOrder } from "./sorting.js";
import { type Document, fieldsOf, isDocument, isNumber, kindOf } from "./values.js";

/** Typed reading of command fields; each refuses the wrong type with code 14 as MongoDB does. */
const wrongType = (name: string, value: unknown, wanted: string) =>
  new DatabaseError(14, `BSON field '${name}' is the wrong type '${kindOf(value)}', expected type '${wanted}'`);

export function collectionName(body: Document): string {
  const [command = "", name] = Object.entries(body)[0] ?? [];
  if (typeof name !== "string") {
    throw new DatabaseError(
      command === "aggregate" || kindOf(name) !== "int" ? 14 : 73,
      `collection name has invalid type ${kindOf(name)}`,
    );
  }
  if (name === "" || name.startsWith(".") || name.includes("\0")) {
    throw new DatabaseError(73, `Invalid namespace specified '${name}'`);
  }
  return name;
}

export function documentField(body: Document, name: string): Document | undefined {
  const value = body[name];
  if (value !== undefined && value !== null && !isDocument(value)) {
    throw wrongType(name, value, "object");
  }
  return isDocument(value) ? value : undefined;
}

export function arrayField(body: Document, name: string): unknown[] {
  const value = body[name];
  if (value === undefined) {
    throw new DatabaseError(40414, `BSON field '${name}' is missing but a required field`);
  }
  if (!Array.isArray(value)) {
    throw wrongType(name, value, "array");
  }
  return value;
}

/** A whole number of at least 0, or undefined when absent. @throws DatabaseError 51024 for a negative one. */
export function countField(body: Document, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) {
    return undefined;
  }
  const count = toInteger(value);
  if (count === undefined) {
    throw isNumber(value) ? new DatabaseError(9, `${name} must be a whole number`) : wrongType(name, value, "long");
  }
  if (count < 0) {
    throw new DatabaseError(51024, `BSON field '${name}' value must be >= 0, actual value '${count}'`);
  }
  return count;
}

export function flagField(body: Document, name: string, fallback = false): boolean {
  const value = body[name];
  if (value !== undefined && value !== null && typeof value !== "boolean" && !isNumber(value)) {
    throw wrongType(name, value, "bool");
  }
  return typeof value === "boolean" ? value : isNumber(value) ? toNumber(value) !== 0 : fallback;
}

/** The sort of find and findAndModify, whose refusals have code 2; `$natural` is a hint. */
export function sortField(body: Document, name = "sort"): SortOrder | undefined {
  const spec = documentField(body, name);
  if (spec === undefined || Object.keys(spec).length === 0 || Object.hasOwn(spec, "$natural")) {
    return undefined;
  }
  try {
    return compileSort(spec);
  } catch (error) {
    throw error instanceof DatabaseError && error.code !== 115 ? new DatabaseError(2, error.message) : error;
  }
}

/** `$natural` of a sort, as the hint it amounts to. */
export function hintOf(body: Document): unknown {
  const { hint, sort } = body;
  if (isDocument(sort) && Object.hasOwn(sort, "$natural")) {
    return sort;
  }
  return isDocument(hint) && Object.keys(hint).length === 0 ? undefined : (hint ?? undefined);
}

/** The scope of a command's expressions: its `let` and the system's variables. */
export function scopeOf(body: Document): Scope {
  const variables = documentField(body, "let");
  return rootScope(Object.fromEntries(fieldsOf(variables ?? {}).map(([name, value]) => [name, literalOf(value)])));
}

function literalOf(value: unknown): unknown {
  return isDocument(value) && Object.hasOwn(value, "$literal") ? value.$literal : value;
}
