import { z } from "zod";
import { type Failure, InvalidRequest } from "../lib/errors.js";
import { codePoints, toWellFormed } from "../lib/fields.js";

/** Marks an issue that says "absent or blank", as against a value that is wrong. */
const missing = "required";

/** Something to see: not only spaces, control characters and characters of no width. */
const visible = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/** Trimmed text of 1 to `max` code points whose absence `missingOr` answers with a message of its own. */
export function requiredText(max: number) {
  return z
    .string({ error: ({ input }) => (input === undefined ? missing : "not text") })
    .trim()
    .overwrite(toWellFormed)
    .refine((value) => visible.test(value), { message: missing, abort: true })
    .refine((value) => codePoints(value) <= max, `over ${max} characters`)
    .meta({ type: "string", minLength: 1, maxLength: max });
}

/**
 * Answer to a body that does not fit: `absent` when all that is wrong is that required texts are absent or blank. A
 * value of a wrong type (null is one) or over-length anywhere makes it `Invalid request data`, whatever else is
 * missing: the client's error is then in what it sent. For a route's `invalid`; `absent` belongs in its `errors`.
 */
export function missingOr(absent: Failure): Failure {
  const create = (cause?: unknown) => {
    const onlyMissing = cause instanceof z.ZodError && cause.issues.every(({ message }) => message === missing);
    return (onlyMissing ? absent : InvalidRequest)(cause);
  };
  return Object.assign(create, {
    id: InvalidRequest.id,
    status: InvalidRequest.status,
    message: InvalidRequest.message,
  });
}
