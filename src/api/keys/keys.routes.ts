import type { Deps } from "../../deps.js";
import { forManagers } from "../../http/for-managers.js";
import { type RouteGroup, route } from "../../http/route.js";
import {
  ApiKeyNotFound,
  changeKey,
  createKey,
  findKey,
  listKeys,
  revokeKey,
  rotateKey,
  TooManyApiKeys,
} from "../../services/keys/manage-keys.js";
import {
  ApiKeyBody,
  ApiKeyChangesBody,
  ApiKeyReply,
  ApiKeySecretReply,
  ApiKeysQuery,
  ApiKeysReply,
  RotationBody,
} from "./keys.schemas.js";

/** Keys with which programs call the API. */
export function keysGroups({ db, config }: Deps): RouteGroup[] {
  return [
    {
      name: "keys",
      base: "/api/key",
      routes: [
        route("get", "/", {
          operationId: "getApiKey",
          summary: "The key with which the request is sent",
          access: "key",
          reply: ApiKeyReply,
          handle: async ({ viewer }) => ({ apiKey: await findKey(db, viewer) }),
        }),
      ],
    },
    ...forManagers("keys", ["educator", "admin"], ({ role, isAdmin, suffix }) => [
      route("post", "/api-keys", {
        operationId: `createApiKey${suffix}`,
        summary: "Create a key for a program",
        description:
          "The reply shows the secret this once. The key speaks for its owner while the owner has the role. An owner " +
          "has at most 50 keys that are neither revoked nor expired.",
        access: role,
        body: ApiKeyBody,
        reply: ApiKeySecretReply,
        errors: [TooManyApiKeys],
        handle: (request) => createKey(db, request.body, { ...request.manager, isProduction: config.production }),
      }),
      route("get", "/api-keys", {
        operationId: `listApiKeys${suffix}`,
        summary: `The keys, ${isAdmin ? "every user's" : "the educator's own"}, newest first`,
        description: "Revoked and expired keys too.",
        access: role,
        query: ApiKeysQuery,
        reply: ApiKeysReply.schema,
        handle: (request) => ApiKeysReply.answer(request, listKeys(db, request.manager)),
      }),
      route("patch", "/api-keys/:id", {
        operationId: `updateApiKey${suffix}`,
        summary: "Change one of the caller's own keys",
        description: "A revoked key is not found.",
        access: role,
        body: ApiKeyChangesBody,
        reply: ApiKeyReply,
        errors: [ApiKeyNotFound, TooManyApiKeys],
        handle: async (request) => ({ apiKey: await changeKey(db, request.params.id, request.body, request.manager) }),
      }),
      route("post", "/api-keys/:id/rotate", {
        operationId: `rotateApiKey${suffix}`,
        summary: "Give a key another secret",
        description: "The prefix stays. The present secret works for `overlapHours` more. A revoked key is not found.",
        access: role,
        body: RotationBody,
        reply: ApiKeySecretReply,
        errors: [ApiKeyNotFound],
        handle: (request) => rotateKey(db, request.params.id, request.body.overlapHours, request.manager),
      }),
      route("delete", "/api-keys/:id", {
        operationId: `revokeApiKey${suffix}`,
        summary: "End a key for good",
        description: "The next request with the key is refused. A repetition has no effect.",
        access: role,
        errors: [ApiKeyNotFound],
        handle: (request) => revokeKey(db, request.params.id, request.manager),
      }),
    ]),
  ];
}
