import type { Deps } from "../../deps.js";
import { managerOf } from "../../http/auth/manager-of.js";
import { readPage } from "../../http/reply-with-list.js";
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
  ApiKeyParams,
  ApiKeyReply,
  ApiKeySecretReply,
  ApiKeysQuery,
  ApiKeysReply,
  RotationBody,
} from "./keys.schemas.js";

/** Each role has these routes under its own path. */
const audiences = [
  { role: "educator", base: "/api/educator", suffix: "", whose: "the educator's own" },
  { role: "admin", base: "/api/admin", suffix: "AsAdmin", whose: "every user's" },
] as const;

/** Keys with which programs call the API. */
export function keysGroups({ db, config }: Deps): RouteGroup[] {
  const ownKey: RouteGroup = {
    name: "keys",
    base: "/api/key",
    routes: [
      route({
        method: "get",
        path: "/",
        operationId: "getApiKey",
        summary: "The key with which the request is sent",
        access: "key",
        reply: ApiKeyReply,
        async handle({ viewer }) {
          return { apiKey: await findKey(db, viewer) };
        },
      }),
    ],
  };
  const management = audiences.map(({ role, base, suffix, whose }): RouteGroup => {
    return {
      name: "keys",
      base,
      ...(role === "admin" && { access: role, limit: role }),
      routes: [
        route({
          method: "post",
          path: "/api-keys",
          operationId: `createApiKey${suffix}`,
          summary: "Create a key for a program",
          description:
            "The reply shows the secret this once. The key speaks for its owner while the owner has the role. An owner " +
            "has at most 50 keys that are neither revoked nor expired.",
          access: role,
          body: ApiKeyBody,
          reply: ApiKeySecretReply,
          errors: [TooManyApiKeys],
          handle: (request) =>
            createKey(db, request.body, { ...managerOf(request, role), isProduction: config.production }),
        }),
        route({
          method: "get",
          path: "/api-keys",
          operationId: `listApiKeys${suffix}`,
          summary: `The keys, ${whose}, newest first`,
          description: "Revoked and expired keys too.",
          access: role,
          query: ApiKeysQuery,
          reply: ApiKeysReply,
          async handle({ viewer, query }) {
            const keys = listKeys(db, { userId: viewer.id, role });
            const { items: apiKeys, nextCursor } = await readPage(keys, query);
            return { apiKeys, nextCursor };
          },
        }),
        route({
          method: "patch",
          path: "/api-keys/:id",
          operationId: `updateApiKey${suffix}`,
          summary: "Change one of the caller's own keys",
          description: "A revoked key is not found.",
          access: role,
          params: ApiKeyParams,
          body: ApiKeyChangesBody,
          reply: ApiKeyReply,
          errors: [ApiKeyNotFound, TooManyApiKeys],
          async handle(request) {
            return { apiKey: await changeKey(db, request.params.id, request.body, managerOf(request, role)) };
          },
        }),
        route({
          method: "post",
          path: "/api-keys/:id/rotate",
          operationId: `rotateApiKey${suffix}`,
          summary: "Give a key another secret",
          description:
            "The prefix stays. The present secret works for `overlapHours` more. A revoked key is not found.",
          access: role,
          params: ApiKeyParams,
          body: RotationBody,
          reply: ApiKeySecretReply,
          errors: [ApiKeyNotFound],
          handle: (request) => rotateKey(db, request.params.id, request.body.overlapHours, managerOf(request, role)),
        }),
        route({
          method: "delete",
          path: "/api-keys/:id",
          operationId: `revokeApiKey${suffix}`,
          summary: "End a key for good",
          description: "The next request with the key is refused. A repetition has no effect.",
          access: role,
          params: ApiKeyParams,
          errors: [ApiKeyNotFound],
          async handle(request) {
            await revokeKey(db, request.params.id, managerOf(request, role));
            return {};
          },
        }),
      ],
    };
  });
  return [ownKey, ...management];
}
