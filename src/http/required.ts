import { z } from "zod";
import { type Failure, InvalidRequest } from "../lib/errors.js";
import { text } from "../lib/fields.js";

/** Message of an issue that means "absent or blank". */
export const missing = "required";

/** Text of 1 to `max` code points, as `text`. `missingOr` answers its absence with a special message. */
export const requiredText = (max: number) =>
  z
    .string({ error: ({ input }) => (input === undefined ? missing : "not text") })
    .pipe(text(0, max))
    .refine((value) => value !== "", missing)
    .meta({ type: "string", minLength: 1, maxLength: max });

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
