import { check, DatabaseError, notSupported } from "./errors.js";
import type { Scope } from "./expressions.js";
import { compileLookup, compileUnionWith } from "./lookup.js";
import { STAGES } from "./stages.js";
import { type Document, isDocument, kindOf } from "./values.js";

export type Stage = (input: Iterable<Document>) => Iterable<Document>;

export interface PipelineContext {
  scope: Scope;
  /** Reads the documents of a collection of the same database that a filter takes, through its indexes. */
  read: (collection: string, filter: Document, scope: Scope) => Iterable<Document>;
  /** {@link compilePipeline}, for the stages with pipelines of their own. */
  compile: (pipeline: readonly unknown[], context: PipelineContext) => Stage;
}

const NOT_SERVED =
  /^\$(out|merge|graphLookup|geoNear|setWindowFields|densify|fill|bucket|bucketAuto|redact|documents|collStats|indexStats)$/;
const FOR_UPDATES = /^\$(set|addFields|unset|project|replaceRoot|replaceWith)$/;

/** The name and the specification of one stage. @throws DatabaseError 40323 when it is not a document with one field. */
export function stageOf(stage: unknown): [string, unknown] {
  check(isDocument(stage), 14, `Each element of the 'pipeline' array must be an object, not ${kindOf(stage)}`);
  const [first, ...others] = Object.entries(stage);
  const single = first !== undefined && others.length === 0;
  check(single, 40323, "A pipeline stage specification object must contain exactly one field.");
  return first;
}

/** @throws DatabaseError 40324 for an unknown stage, 40573 for a change stream, 115 for one that is not served here. */
export function compilePipeline(pipeline: readonly unknown[], context: Omit<PipelineContext, "compile">): Stage {
  const stages = pipeline.map((item, at) => {
    const [name, spec] = stageOf(item);
    const compile = COMPILERS.get(name);
    if (NOT_SERVED.test(name)) throw notSupported(name);
    check(name !== "$changeStream", 40573, "The $changeStream stage is only supported on replica sets");
    check(compile !== undefined, 40324, `Unrecognized pipeline stage name: '${name}'`);
    return compile(spec, { ...context, compile: compilePipeline }, pipeline.slice(at + 1));
  });
  return (input) => stages.reduce((documents, stage) => stage(documents), input);
}

const COMPILERS = new Map([...STAGES, ["$lookup", compileLookup], ["$unionWith", compileUnionWith]]);

/** The pipeline form of an update: one document in, one out. @throws DatabaseError 72 for stages that updates do not take. */
export function compileUpdatePipeline(pipeline: readonly unknown[], scope: Scope): (document: Document) => Document {
  const run = compilePipeline(pipeline, { scope, read: () => [] });
  const other = pipeline.map((stage) => stageOf(stage)[0]).find((name) => !FOR_UPDATES.test(name));
  if (other !== undefined) throw new DatabaseError(72, `${other} is not allowed to be used within an update`);
  return (document) => [...run([document])][0] ?? document;
}
