import { z } from "zod";
import type { UserFields } from "./users.js";

const Metadata = z.record(z.string(), z.unknown()).optional();

export const MetadataBody = z.strictObject({
  public_metadata: Metadata,
  private_metadata: Metadata,
  unsafe_metadata: Metadata,
});

/** Parameters without effect: there are no sessions, one address per user, and no legal terms. */
const withoutEffect = {
  skip_password_checks: z.boolean().optional(),
  skip_password_requirement: z.boolean().optional(),
  skip_legal_checks: z.boolean().optional(),
  legal_accepted_at: z.string().optional(),
};
const withoutEffectOnChange = {
  ...withoutEffect,
  sign_out_of_other_sessions: z.boolean().optional(),
  primary_email_address_id: z.string().optional(),
  notify_primary_email_address_changed: z.boolean().optional(),
};

const fields = {
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  username: z.string().nullish(),
  external_id: z.string().nullish(),
  password: z.string().min(8).optional(),
  created_at: z.iso.datetime().transform(Date.parse).optional(),
  ...MetadataBody.shape,
};
/** Body of `POST /v1/users`. The emulator keeps one address of a user. */
export const NewUserBody = z.strictObject({
  email_address: z.array(z.email()).max(1).optional(),
  ...fields,
  ...withoutEffect,
});
/** Body of `PATCH /v1/users/:id`. */
export const UserChangeBody = z.strictObject({ ...fields, ...withoutEffectOnChange });

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

/** Returns the refusal of a filter or an order that the emulator does not support. */
export function refuseQuery(query: Record<string, unknown>): UserRefusal | undefined {
  const unsupported = Object.keys(query).find((name) => !supportedFilters.includes(name));
  if (unsupported !== undefined) return unknownParameter(unsupported);
  if (/^[+-]?created_at$/.test(String(query.order_by ?? "created_at"))) return undefined;
  const longMessage = "order_by does not match one of the allowed values for parameter order_by.";
  return { code: "form_param_value_invalid", message: "is invalid", longMessage, param: "order_by" };
}

export function toUserFields(body: z.infer<typeof NewUserBody> | z.infer<typeof UserChangeBody>): UserFields {
  return {
    firstName: body.first_name,
    lastName: body.last_name,
    username: body.username,
    externalId: body.external_id,
    createdAt: body.created_at,
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
      : issue?.code === "invalid_type"
        ? `${param} must be of type ${issue.expected}.`
        : `${param} is invalid.`;
  return { code: "form_param_format_invalid", message: "is invalid", longMessage, param };
}
