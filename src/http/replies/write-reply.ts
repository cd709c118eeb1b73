import type { z } from "zod";
import { compileWriter, type Writer } from "./compile-writer.js";

/** Writes a reply as `{ success: true, ...value }`. @throws ZodError for a value that its schema does not accept. */
export type WriteReply = (value: unknown) => string;

/**
 * Makes what writes a reply: fields that its schema does not name never leave. The schema is compiled when the first
 * reply is written.
 */
export function compileReply(schema: z.ZodObject): WriteReply {
  let write: Writer | undefined;
  return (value) => {
    write ??= compileWriter(schema);
    const text = write(value);
    return text === "{}" ? '{"success":true}' : `{"success":true,${text.slice(1)}`;
  };
}
