import { z } from "zod";
import { listReply } from "../../http/list-reply.js";
import { newestFirstPage, nextCursor } from "../../http/pages.js";
import { id, list, text, timestamp } from "../../lib/fields.js";
import { keyScopes } from "../../models/users/api-key.js";

const maxCourses = 100;
const maxScopes = 20;

const fields = {
  name: text(1, 80),
  scopes: list(z.enum(keyScopes), maxScopes, 1),
  courseIds: list(z.string(), maxCourses, 1)
    .nullable()
    .optional()
    .meta({ description: "the only courses that the key sees; null: every course of its owner" }),
  expiresAt: z.iso
    .datetime({ offset: true })
    .transform((moment) => new Date(moment))
    .nullable()
    .optional()
    .meta({ description: "in the future; null: never" }),
};

export const ApiKeyBody = z.object(fields);
export const ApiKeyChangesBody = z.object({
  ...fields,
  name: fields.name.optional(),
  scopes: fields.scopes.optional(),
});
export const RotationBody = z.object({
  overlapHours: z.int().min(0).max(24).default(0).meta({ description: "how long the present secret still works" }),
});
export const ApiKeysQuery = z.object(newestFirstPage);

const ApiKeyView = z
  .object({
    _id: id,
    name: z.string(),
    prefix: z.string().meta({ description: "the public part of the secret" }),
    scopes: z.array(z.enum(keyScopes)),
    courseIds: z.array(id).nullable(),
    createdBy: z.string(),
    createdAt: timestamp,
    expiresAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable().meta({ description: "exact to a minute" }),
    revokedAt: timestamp.nullable(),
  })
  .meta({ id: "ApiKey" });

export const ApiKeyReply = z.object({ apiKey: ApiKeyView });
export const ApiKeySecretReply = z.object({
  apiKey: ApiKeyView,
  secret: z.string().meta({ description: "shown this once" }),
});
export const ApiKeysReply = listReply("apiKeys", ApiKeyView, nextCursor);
