import { Schema, type SchemaDefinition, type SchemaOptions, type Types } from "mongoose";
import { z } from "zod";
import { timestamp } from "../lib/fields.js";

/** What only Mongoose has to know about a field. */
const storage = z.registry<{ default?: unknown; uncast?: true }>();

/** Raw bytes. */
export const bytesField = z.instanceof(Buffer);

const storedId = z.custom<Types.ObjectId>((value) => value !== null && value !== undefined);

/** An object id. Exports and replies show it as text. */
export const objectIdField = storedId.transform(String).pipe(z.string());

/** When a row was created and last changed. Mongoose writes these fields, where a row has them. */
export const rowTimes = { createdAt: timestamp.clone(), updatedAt: timestamp.clone() };

const isRowTime = (field: unknown): boolean => field === rowTimes.createdAt || field === rowTimes.updatedAt;

/** Gives a field the value that Mongoose stores when a new row lacks it. A function gets the new row as `this`. Call it last. */
export function withDefault<T extends z.ZodType>(field: T, value: z.input<T> | ((this: never) => z.input<T>)): T {
  const own = field.clone();
  storage.add(own, { default: value });
  return own;
}

/** Has Mongoose store an object as it is: it checks no fields of it and keeps their order. */
export function uncast<T extends z.ZodType>(field: T): T {
  const own = field.clone();
  storage.add(own, { uncast: true });
  return own;
}

const hasDefault = (field: z.core.$ZodType): boolean => "default" in (storage.get(field) ?? {});

/** A field without `optional`, `exactOptional` and `nullable`. */
function unwrap(field: z.core.$ZodType): { bare: z.core.$ZodType; isOptional: boolean; isNullable: boolean } {
  if (field instanceof z.ZodOptional || field instanceof z.ZodExactOptional) {
    return { ...unwrap(field.unwrap()), isOptional: true };
  }
  if (field instanceof z.ZodNullable) return { ...unwrap(field.unwrap()), isNullable: true };
  return { bare: field, isOptional: false, isNullable: false };
}

const mixed = [z.ZodUnknown, z.ZodRecord, z.ZodCustom];

/** Mongoose's type of a field that is neither optional nor nullable. */
function typeOf(field: z.core.$ZodType): unknown {
  if (storage.get(field)?.uncast) return Schema.Types.Mixed;
  if (field === storedId) return Schema.Types.ObjectId;
  if (field === bytesField) return Buffer;
  if (field instanceof z.ZodPipe) return typeOf(field.in);
  if (field instanceof z.ZodString || field instanceof z.ZodEnum || field instanceof z.ZodLiteral) return String;
  if (field instanceof z.ZodNumber) return Number;
  if (field instanceof z.ZodBoolean) return Boolean;
  if (field instanceof z.ZodDate) return Date;
  if (field instanceof z.ZodArray) return [typeOf(field.element)];
  if (field instanceof z.ZodObject) {
    return new Schema(definitionOf(field, false), { _id: "_id" in field.shape, id: false });
  }
  if (mixed.some((type) => field instanceof type)) return Schema.Types.Mixed;
  throw new Error("a row has a field of a type that is not stored");
}

/** The values that Mongoose allows in a field, or in the items of a list. */
function valuesOf(field: z.core.$ZodType): string[] | undefined {
  if (field instanceof z.ZodArray) return valuesOf(field.element);
  return field instanceof z.ZodEnum ? field.options.map(String) : undefined;
}

/** Mongoose's definition of a field. A nullable field is null by default, unless it is optional too. */
function propertyOf(field: z.core.$ZodType, required: boolean) {
  const { bare, isOptional, isNullable } = unwrap(field);
  const values = valuesOf(bare);
  const property = { type: typeOf(bare), ...(values && { enum: isNullable ? [...values, null] : values }) };
  if (hasDefault(field)) return { ...property, default: storage.get(field)?.default };
  if (isOptional) return bare instanceof z.ZodArray ? { ...property, default: undefined } : property;
  if (isNullable) return { ...property, default: null };
  return { ...property, required: required && !(property.type instanceof Schema) };
}

/**
 * Mongoose's definition of the fields that it does not add itself.
 * @param required whether Mongoose refuses a row without them. It also refuses empty texts, which a part of a row may have.
 */
function definitionOf({ shape }: z.ZodObject, required: boolean): SchemaDefinition {
  const fields = Object.entries(shape).filter(
    ([name, field]) => !isRowTime(field) && !(name === "_id" && field === objectIdField),
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, propertyOf(field, required)])) as SchemaDefinition;
}

/** The Mongoose schema of the rows that a Zod object describes. */
export function schemaOf<Row extends z.ZodObject>(row: Row, options: SchemaOptions): Schema<z.input<Row>> {
  const { createdAt, updatedAt } = row.shape;
  const timestamps = isRowTime(createdAt) && { createdAt: true, updatedAt: isRowTime(updatedAt) };
  return new Schema(definitionOf(row, true), { ...options, timestamps, versionKey: false } as object);
}

/** A field as the export shows it. */
function exportedField(field: z.ZodType): z.ZodType {
  const { bare, isOptional, isNullable } = unwrap(field);
  const text = bare instanceof z.ZodArray ? z.array(z.string()) : z.string();
  const shown = !valuesOf(bare) ? field : isNullable ? text.nullable() : text;
  return isOptional || isNullable || isRowTime(field) || hasDefault(field) ? shown.optional() : shown;
}

/**
 * The exported fields of a row. A field that Mongoose fills in is optional, because an older row may lack it. An enum is any
 * text, because an older row may have another value. `others` replaces fields.
 */
export function exportedRow(row: z.ZodObject, fields: readonly string[], others: z.ZodRawShape = {}): z.ZodObject {
  const shown = fields.map((name) => [name, others[name] ?? exportedField(row.shape[name] as z.ZodType)]);
  return z.object(Object.fromEntries(shown));
}
