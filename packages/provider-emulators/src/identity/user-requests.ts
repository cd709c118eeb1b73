import { z } from "zod";
import type { UserFields } from "./users.js";

const Metadata = z.record(z.string(), z.unknown()).optional();

export const MetadataBody = z.strictObject({
  public_metadata: Metadata,
  private_metadata: Metadata,
  unsafe_metadata: Metadata,
});

const fields = {
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  username: z.string().nullish(),
  external_id: z.string().nullish(),
  password: z.string().min(8).optional(),
  skip_password_checks: z.boolean().optional(),
  skip_password_requirement: z.boolean().optional(),
  ...MetadataBody.shape,
};
/** Body of `POST /v1/users`. The emulator keeps one address of a user. */
export const NewUserBody = z.strictObject({ email_address: z.array(z.email()).max(1).optional(), ...fields });
/** Body of `PATCH /v1/users/:id`. */
export const UserChangeBody = z.strictObject(fields);

/** Filters and paging of `GET /v1/users`. */
const supportedFilters = [
  "limit",
  "offset",
  "order_by",
  "user_id",
  "email_address",
  "username",
  "external_id",
  "query",
];

/** Returns the name of a filter that the emulator does not support. */
export function findUnsupportedFilter(query: object): string | undefined {
  return Object.keys(query).find((name) => !supportedFilters.includes(name));
}

export function toUserFields(body: z.infer<typeof NewUserBody> | z.infer<typeof UserChangeBody>): UserFields {
  return {
    firstName: body.first_name,
    lastName: body.last_name,
    username: body.username,
    externalId: body.external_id,
    email: "email_address" in body ? body.email_address?.[0] : undefined,
    passwordEnabled: body.password === undefined ? undefined : true,
    ...toMetadata(body),
  };
}

export function toMetadata(body: z.infer<typeof MetadataBody>) {
  return {
    publicMetadata: body.public_metadata,
    privateMetadata: body.private_metadata,
    unsafeMetadata: body.unsafe_metadata,
  };
}

export interface UserRefusal {
  code: string;
  message: string;
  longMessage: string;
  param: string;
}

/** Returns the provider's words for a parameter that it does not know. */
export function unknownParameter(param: string): UserRefusal {
  const longMessage = `${param} is not a valid parameter for this request.`;
  return { code: "form_param_unknown", message: "is unknown", longMessage, param };
}

/** Returns the provider's words for an identifier that another user has. */
export function takenIdentifier(param: string): UserRefusal {
  const message = `That ${param.replaceAll("_", " ")} is taken. Please try another.`;
  return { code: "form_identifier_exists", message, longMessage: message, param };
}

export function describeIssue(issue: z.core.$ZodIssue | undefined): UserRefusal {
  if (issue?.code === "unrecognized_keys") return unknownParameter(issue.keys[0] ?? "");
  const param = String(issue?.path[0] ?? "");
  if (param === "password") {
    const message = "Passwords must be 8 characters or more.";
    return { code: "form_password_length_too_short", message, longMessage: message, param };
  }
  const longMessage =
    param === "email_address" && issue?.code === "invalid_format"
      ? "email_address must be a valid email address."
      : `${param} is invalid: ${issue?.message}`;
  return { code: "form_param_format_invalid", message: "is invalid", longMessage, param };
}
