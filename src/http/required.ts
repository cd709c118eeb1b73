import { z } from "zod";
import { type Failure, InvalidRequest } from "../lib/errors.js";
import { codePoints, toWellFormed } from "../lib/fields.js";

/** Message of an issue that means "absent or blank". */
export const missing = "required";

/** A character that is visible: no space, no control character, and not of zero width. */
const visible = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/** Trimmed text of 1 to `max` code points. `missingOr` answers its absence with a special message. */
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
 * Creates the `invalid` failure of a route: `absent` when every issue, or some issue, is that a required field is absent
 * or blank; otherwise `Invalid request data`. `absent` belongs in the route's `errors`.
 */
export function missingOr(absent: Failure, quantifier: "every" | "some" = "every"): Failure {
  const create = (cause?: unknown) => {
    const isMissing = cause instanceof z.ZodError && cause.issues[quantifier](({ message }) => message === missing);
    return (isMissing ? absent : InvalidRequest)(cause);
  };
  const { id, status, message } = InvalidRequest;
  return Object.assign(create, { id, status, message });
}
