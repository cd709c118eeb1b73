import type { Schema } from "mongoose";
import { z } from "zod";
import { timestamp } from "../lib/fields.js";
import { limitWriteTimes } from "./command-limit.js";

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
  readonly row: z.ZodObject;
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

/** Declares the schema of a collection and its facts for docs, export and erasure. */
export interface Collection<Row> {
  readonly schema: Schema<Row>;
  /** What a row is, for the tables in docs. */
  readonly holds: string;
  /** How long a row is kept, for the tables in docs. */
  readonly kept: string;
  readonly userData: UserOwned<Row> | NotOwned | "none";
}

export function defineCollection<Row>(collection: Collection<Row>): Collection<Row> {
  collection.schema.set("versionKey", false);
  collection.schema.plugin(limitWriteTimes);
  return collection;
}

/** Fields of exported rows that a row may lack. */
export const optional = {
  text: z.string().optional(),
  texts: z.array(z.string()).optional(),
  number: z.number().optional(),
  flag: z.boolean().optional(),
  time: timestamp.nullable().optional(),
  accessDays: z.number().nullable().optional().meta({ description: "null: for good" }),
};

export const rowTimes = { createdAt: timestamp.optional(), updatedAt: timestamp.optional() };
