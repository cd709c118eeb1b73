import type { IndexDefinition, IndexOptions, Schema, SchemaOptions } from "mongoose";
import type { z } from "zod";
import { limitWriteTimes } from "./command-limit.js";
import { schemaOf } from "./row.js";

/**
 * What an erasure does with the rows that name the user: delete them, replace the user's id and set fields, leave them to
 * a step of their own (services/privacy/erase-user-data.ts), or keep them for a reason.
 */
type ErasureRule<Row> = "delete" | "ownStep" | { readonly anonymise: Partial<Row> } | { readonly keep: string };

/** Rows in which a field names the user. The export shows these rows, and the erasure rule is applied to them. */
export interface UserOwned<Row = Record<string, unknown>> {
  /** The field that names the user: the beginning of an index, or `_id`. */
  readonly owner: keyof Row & string;
  /** Selects the user's own rows; all by default. */
  readonly where?: Partial<Row>;
  /** Set when the field `owner` holds a purchase id instead of a user id. */
  readonly through?: "Purchase";
  /** Name of the list in the export. */
  readonly section: string;
  /** The exported fields. Fields that only the server needs are left out. */
  readonly exported: readonly (keyof Row & string)[];
  /** Exported fields that differ from the stored ones. */
  readonly exportedAs?: z.ZodRawShape;
  /** Rows in memory at once, where rows are large. */
  readonly batchSize?: number;
  /** A projection that leaves out large values that are not exported. */
  readonly unread?: Readonly<Record<string, 0>>;
  readonly erasure: ErasureRule<Row>;
}

/** Rows that name users in another way. They are not exported. */
interface NotOwned {
  readonly erasure: "ownStep" | { readonly keep: string };
}

interface Declaration<Row extends z.ZodObject> {
  /** The stored fields. The type of a row, its schema and its export follow from them. */
  readonly row: Row;
  readonly options?: Pick<SchemaOptions, "minimize" | "writeConcern">;
  readonly indexes?: readonly (readonly [IndexDefinition, IndexOptions?])[];
  /** What a row is, for the tables in docs. */
  readonly holds: string;
  /** How long a row is kept, for the tables in docs. */
  readonly kept: string;
  readonly userData: UserOwned<z.input<Row>> | NotOwned | "none";
}

/** A collection with its facts for docs, export and erasure. */
export type Collection<Row extends z.ZodObject> = Declaration<Row> & { readonly schema: Schema<z.input<Row>> };

export function defineCollection<Row extends z.ZodObject>(declaration: Declaration<Row>): Collection<Row> {
  const { row, options = {}, indexes = [] } = declaration;
  const schema = schemaOf(row, options);
  for (const [fields, indexOptions] of indexes) schema.index(fields, indexOptions);
  schema.plugin(limitWriteTimes);
  return { ...declaration, schema };
}
