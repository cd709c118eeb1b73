import { DatabaseError, notSupported } from "./errors.js";
import { type Scope, withNames } from "./expressions.js";
import { STAGES } from "./stages.js";
import { type Document, isDocument, kindOf } from "./values.js";

export type Stage = (input: Iterable<Document>) => Iterable<Document>;

/** Reads the documents of a collection of the same database that a filter takes, through its indexes. */
export type ReadCollection = (collection: string, filter: Document, scope: Scope) => Iterable<Document>;

export interface PipelineContext {
  scope: Scope;
  read: ReadCollection;
  /** Inside `$facet`, `$lookup` or `$unionWith`. */
  nested: boolean;
}

const REFUSED = new Set([
  "$out",
  "$merge",
  "$graphLookup",
  "$geoNear",
  "$setWindowFields",
  "$densify",
  "$fill",
  "$bucket",
  "$bucketAuto",
]);
const FOR_UPDATES = new Set(["$set", "$addFields", "$unset", "$project", "$replaceRoot", "$replaceWith"]);

/** The name and the specification of one stage. @throws DatabaseError 40323 when it is not a document with one field. */
export function stageOf(stage: unknown): [string, unknown] {
  if (!isDocument(stage)) {
    throw new DatabaseError(14, `Each element of the 'pipeline' array must be an object, not ${kindOf(stage)}`);
  }
  const entries = Object.entries(stage);
  const [first] = entries;
  if (first === undefined || entries.length > 1) {
    throw new DatabaseError(40323, "A pipeline stage specification object must contain exactly one field.");
  }
  return first;
}

/** @throws DatabaseError 40324 for an unknown stage, 40573 for a change stream, 115 for one that is not served here. */
export function compilePipeline(pipeline: readonly unknown[], context: PipelineContext): Stage {
  const stages = pipeline.map((item, at) => {
    const [name, spec] = stageOf(item);
    const compile = STAGES.get(name);
    if (compile === undefined) {
      throw refusal(name);
    }
    return compile(spec, context, pipeline.slice(at + 1));
  });
  return (input) => stages.reduce((documents, stage) => stage(documents), input);
}

function refusal(name: string): DatabaseError {
  if (name === "$changeStream") {
    return new DatabaseError(40573, "The $changeStream stage is only supported on replica sets");
  }
  return REFUSED.has(name)
    ? notSupported(name)
    : new DatabaseError(40324, `Unrecognized pipeline stage name: '${name}'`);
}

/** The pipeline form of an update: one document in, one out. @throws DatabaseError 72 for stages that updates do not take. */
export function compileUpdatePipeline(pipeline: readonly unknown[], scope: Scope): (document: Document) => Document {
  for (const item of pipeline) {
    const [name] = stageOf(item);
    if (!FOR_UPDATES.has(name)) {
      throw STAGES.has(name)
        ? new DatabaseError(72, `${name} is not allowed to be used within an update`)
        : refusal(name);
    }
  }
  const run = compilePipeline(pipeline, { scope: withNames(scope, []), read: () => [], nested: true });
  return (document) => [...run([document])][0] ?? document;
}
