import { Long } from "bson";
import { DatabaseError } from "./errors.js";
import { checkFieldPath, compileExpression } from "./expressions.js";
import { compileGroup } from "./group.js";
import { compileLookup, compileUnionWith } from "./lookup.js";
import { compileFilter } from "./matcher.js";
import { integer, toInteger, toNumber } from "./numbers.js";
import { compare } from "./ordering.js";
import { compilePipeline, type PipelineContext, type Stage, stageOf } from "./pipeline.js";
import { compileAddFields, compileProjection } from "./projection.js";
import { compileSort, sorted } from "./sorting.js";
import { readPath, writePath } from "./update-paths.js";
import { clone, type Document, fieldsOf, isDocument, isNumber, kindOf, setField } from "./values.js";

type CompileStage = (spec: unknown, context: PipelineContext, following: readonly unknown[]) => Stage;

function object(spec: unknown, code: number, name: string): Document {
  if (!isDocument(spec)) {
    throw new DatabaseError(code, `the ${name} specification must be an object, not ${kindOf(spec)}`);
  }
  return spec;
}

function* mapped(input: Iterable<Document>, change: (document: Document) => Document): Iterable<Document> {
  for (const document of input) {
    yield change(document);
  }
}

function* filtered(input: Iterable<Document>, keeps: (document: Document) => boolean): Iterable<Document> {
  for (const document of input) {
    if (keeps(document)) {
      yield document;
    }
  }
}

function* sliced(input: Iterable<Document>, skip: number, limit: number): Iterable<Document> {
  let seen = 0;
  if (limit === 0) {
    return;
  }
  for (const document of input) {
    seen += 1;
    if (seen > skip) {
      yield document;
    }
    if (seen >= skip + limit) {
      return;
    }
  }
}

/** A `$limit` or `$skip`. @throws DatabaseError 15958, 5107200 or 5107201. */
export function stageCount(name: "$limit" | "$skip", spec: unknown): number {
  const code = name === "$limit" ? 5107201 : 5107200;
  const count = toInteger(spec);
  if (count === undefined || count < 0) {
    throw new DatabaseError(
      code,
      `invalid argument to ${name} stage: Expected a non-negative number, not ${String(spec)}`,
    );
  }
  if (name === "$limit" && count === 0) {
    throw new DatabaseError(15958, "the limit must be positive");
  }
  return count;
}

/** How many sorted documents the stages right after a `$sort` will take. */
export function takenAfter(following: readonly unknown[]): number {
  let skipped = 0;
  for (const item of following) {
    const [name, spec] = stageOf(item);
    if (name === "$limit") {
      return skipped + stageCount(name, spec);
    }
    if (name !== "$skip") {
      break;
    }
    skipped += stageCount(name, spec);
  }
  return Number.POSITIVE_INFINITY;
}

function compileUnwind(spec: unknown): Stage {
  const options = typeof spec === "string" ? { path: spec } : object(spec, 15981, "$unwind");
  const unknown = Object.keys(options).find(
    (key) => !["path", "includeArrayIndex", "preserveNullAndEmptyArrays"].includes(key),
  );
  if (unknown !== undefined) {
    throw new DatabaseError(28811, `unrecognized option to $unwind stage: ${unknown}`);
  }
  const { path, includeArrayIndex: index, preserveNullAndEmptyArrays: preserve = false } = options as Document;
  if (typeof path !== "string" || !path.startsWith("$")) {
    throw new DatabaseError(
      path === undefined ? 28812 : typeof path === "string" ? 28818 : 28808,
      "$unwind needs a path that begins with '$'",
    );
  }
  if (typeof preserve !== "boolean") {
    throw new DatabaseError(28809, "expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage");
  }
  if (index !== undefined && (typeof index !== "string" || index === "")) {
    throw new DatabaseError(28810, "expected a non-empty string for the includeArrayIndex option to $unwind stage");
  }
  const parts = checkFieldPath(path.slice(1));
  const place = (document: Document, at: number | null) => {
    if (typeof index === "string") {
      writePath(document, index.split("."), at === null ? null : Long.fromNumber(at));
    }
    return document;
  };
  return function* unwind(input) {
    for (const document of input) {
      const value = readPath(document, parts);
      if (Array.isArray(value) && value.length > 0) {
        for (const [at, element] of value.entries()) {
          const copy = shallowAlong(document, parts);
          writePath(copy, parts, element);
          yield place(copy, at);
        }
      } else if (value !== undefined && value !== null && !Array.isArray(value)) {
        yield place(shallowAlong(document, parts), null);
      } else if (preserve) {
        const copy = clone(document) as Document;
        if (Array.isArray(value)) {
          const parent = readPath(copy, parts.slice(0, -1));
          if (isDocument(parent)) {
            delete parent[parts.at(-1) ?? ""];
          }
        }
        yield place(copy, null);
      }
    }
  };
}

/** A copy that shares everything except the documents along the path. */
function shallowAlong(document: Document, path: readonly string[]): Document {
  const copy: Document = {};
  for (const [name, value] of fieldsOf(document)) {
    setField(
      copy,
      name,
      name === path[0] && path.length > 1 && isDocument(value) ? shallowAlong(value, path.slice(1)) : value,
    );
  }
  return copy;
}

function compileReplace(expression: unknown, { scope }: PipelineContext): Stage {
  const evaluate = compileExpression(expression, scope);
  return (input) =>
    mapped(input, (document) => {
      const value = evaluate({ root: document, variables: scope.values });
      if (!isDocument(value)) {
        throw new DatabaseError(
          40228,
          `'newRoot' expression must evaluate to an object, but resulting value was of type ${kindOf(value)}`,
        );
      }
      return value;
    });
}

function compileUnset(spec: unknown, { scope }: PipelineContext): Stage {
  const names = Array.isArray(spec) ? spec : [spec];
  if (names.length === 0 || names.some((name) => typeof name !== "string" || name === "")) {
    throw new DatabaseError(
      Array.isArray(spec) && spec.length === 0 ? 31119 : 31120,
      "$unset takes a string or an array of strings",
    );
  }
  const project = compileProjection(Object.fromEntries(names.map((name) => [name, false])), scope, false);
  return (input) => mapped(input, (document) => project(document));
}

function compileFacet(spec: unknown, context: PipelineContext): Stage {
  const facets = fieldsOf(object(spec, 40169, "$facet")).map(([name, stages]): [string, Stage] => {
    if (!Array.isArray(stages)) {
      throw new DatabaseError(40170, `arguments to $facet must be arrays, ${name} is type ${kindOf(stages)}`);
    }
    const refused = stages
      .map((stage) => stageOf(stage)[0])
      .find((stage) => ["$facet", "$out", "$merge", "$geoNear"].includes(stage));
    if (refused !== undefined) {
      throw new DatabaseError(40600, `${refused} is not allowed to be used within a $facet stage`);
    }
    return [name, compilePipeline(stages, { ...context, nested: true })];
  });
  if (facets.length === 0) {
    throw new DatabaseError(40169, "the $facet specification must be a non-empty object");
  }
  return function* facet(input) {
    const documents = [...input];
    const result: Document = {};
    for (const [name, run] of facets) {
      setField(result, name, [...run(documents)]);
    }
    yield result;
  };
}

function* sample(input: Iterable<Document>, size: number): Iterable<Document> {
  const pool = [...input];
  for (let taken = 0; taken < size && pool.length > 0; taken += 1) {
    yield* pool.splice(Math.floor(Math.random() * pool.length), 1);
  }
}

function countName(spec: unknown): string {
  if (typeof spec !== "string" || spec === "" || spec.startsWith("$") || spec.includes(".")) {
    const code = typeof spec !== "string" ? 40156 : spec === "" ? 40157 : spec.startsWith("$") ? 40158 : 40160;
    throw new DatabaseError(code, "the count field must be a non-empty string without '$' in front and without '.'");
  }
  return spec;
}

/** Every stage served, with MongoDB's codes for malformed specifications. */
export const STAGES: ReadonlyMap<string, CompileStage> = new Map<string, CompileStage>([
  [
    "$match",
    (spec, { scope }) => {
      const filter = compileFilter(object(spec, 15959, "$match"), scope);
      return (input) => filtered(input, (document) => filter.test(document));
    },
  ],
  [
    "$project",
    (spec, { scope }) => {
      const fields = object(spec, 15969, "$project");
      if (Object.keys(fields).length === 0) {
        throw new DatabaseError(51272, "Invalid $project: projection specification must have at least one field");
      }
      const project = compileProjection(fields, scope, false);
      return (input) => mapped(input, (document) => project(document));
    },
  ],
  ...["$addFields", "$set"].map((name): [string, CompileStage] => [
    name,
    (spec, { scope }) => {
      const change = compileAddFields(object(spec, 40272, name), scope);
      return (input) => mapped(input, (document) => change(document));
    },
  ]),
  ["$unset", compileUnset],
  [
    "$sort",
    (spec, _context, following) => {
      const order = compileSort(spec);
      if (order.fields.length === 0) {
        throw new DatabaseError(15976, "$sort stage must have at least one sort key");
      }
      const most = takenAfter(following);
      return function* sort(input) {
        yield* sorted(input, order.key, most);
      };
    },
  ],
  [
    "$limit",
    (spec) =>
      (
        (count) => (input: Iterable<Document>) =>
          sliced(input, 0, count)
      )(stageCount("$limit", spec)),
  ],
  [
    "$skip",
    (spec) =>
      (
        (count) => (input: Iterable<Document>) =>
          sliced(input, count, Number.POSITIVE_INFINITY)
      )(stageCount("$skip", spec)),
  ],
  ["$group", compileGroup],
  ["$unwind", compileUnwind],
  ["$lookup", compileLookup],
  ["$unionWith", compileUnionWith],
  ["$facet", compileFacet],
  ["$replaceRoot", (spec, context) => compileReplace(object(spec, 40229, "$replaceRoot").newRoot, context)],
  ["$replaceWith", compileReplace],
  [
    "$count",
    (spec) => {
      const name = countName(spec);
      return function* count(input) {
        let total = 0;
        for (const _ of input) {
          total += 1;
        }
        if (total > 0) {
          yield { [name]: integer(total) };
        }
      };
    },
  ],
  [
    "$sortByCount",
    (spec, context) => {
      if (
        !(typeof spec === "string" && spec.startsWith("$")) &&
        !(isDocument(spec) && Object.keys(spec)[0]?.startsWith("$"))
      ) {
        throw new DatabaseError(typeof spec === "string" ? 40148 : 40149, "$sortByCount takes a path or an expression");
      }
      const group = compileGroup({ _id: spec, count: { $sum: integer(1) } }, context);
      return (input) => [...group(input)].sort((a, b) => compare(b.count, a.count));
    },
  ],
  [
    "$sample",
    (spec) => {
      const { size } = object(spec, 28745, "$sample");
      if (!isNumber(size) || toNumber(size) < 0) {
        throw new DatabaseError(
          isNumber(size) ? 28747 : 28746,
          "size argument to $sample must be a non-negative number",
        );
      }
      return (input) => sample(input, toNumber(size));
    },
  ],
]);
