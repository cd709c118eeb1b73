import { setTimeout as pause } from "node:timers/promises";
import { Router } from "express";
import { z } from "zod";
import { read } from "../read-request.js";
import type { ClerkEmulator } from "./clerk-emulator.js";
import type { TokenOptions } from "./tokens.js";
import type { User } from "./users.js";

const Fields = {
  firstName: z.string().nullable().optional(),
  lastName: z.string().nullable().optional(),
  email: z.string().nullable().optional(),
  emailVerified: z.boolean().optional(),
  imageUrl: z.string().optional(),
  role: z.string().nullable().optional(),
};
const NewUser = z.object({ id: z.string().min(1).optional(), webhook: z.boolean().optional(), ...Fields });
const UserChange = z.object(Fields);
const UserList = z.object({ query: z.string().optional(), limit: z.coerce.number().int().min(1).optional() });
const tokenFaults = {
  expired: { expiresInSeconds: -60 },
  "not-yet-valid": { claims: { nbf: 4_102_444_800, iat: 4_102_444_800, exp: 4_102_448_400 } },
  "other-issuer": { claims: { iss: "https://issuer.example" } },
  "other-party": { claims: { azp: "https://elsewhere.example" } },
  "wrong-signature": {},
} as const satisfies Record<string, TokenOptions>;
const TokenRequest = z.object({
  userId: z.string().min(1),
  role: z.string().nullable().optional(),
  expiresInSeconds: z.number().int().optional(),
  fault: z.enum(Object.keys(tokenFaults) as (keyof typeof tokenFaults)[]).optional(),
});

/** Limit of the wait for the application to receive a new user. */
const maxWebhookWaitMs = 1_000;

/**
 * Serves developers and scripts. `POST /dev/users` creates or updates a user, `GET /dev/users?query=&limit=` lists
 * users, and `PATCH` and `DELETE /dev/users/:id` change and remove one. `POST /dev/tokens {userId, role?,
 * expiresInSeconds?, fault?}` answers `{token}`; with a fault the application must refuse the token.
 */
export function identityDeveloperRoutes(identity: ClerkEmulator): Router {
  const router = Router();

  router.get("/dev/users", (req, res) => {
    const asked = read(UserList, req.query, res);
    if (!asked) return;
    const users = identity.users().filter((user) => matches(user, asked.query ?? ""));
    res.json({ users: users.slice(0, asked.limit ?? users.length), total: users.length });
  });
  router.get("/dev/users/:id", (req, res) => {
    const user = identity.user(req.params.id);
    if (user) res.json({ user });
    else res.status(404).json({ error: `No user ${req.params.id}` });
  });
  router.post("/dev/users", async (req, res) => {
    const body = read(NewUser, req.body, res);
    if (!body) return;
    const user = await identity.createUser(body);
    // Wait for the webhook, because a new user calls the application next. Suppressed webhooks are not waited for.
    await Promise.race([identity.settled(), pause(maxWebhookWaitMs, undefined, { ref: false })]);
    res.json({ user });
  });
  router.patch("/dev/users/:id", async (req, res) => {
    const body = read(UserChange, req.body, res);
    if (!body) return;
    if (identity.user(req.params.id)) res.json({ user: await identity.updateUser(req.params.id, body) });
    else res.status(404).json({ error: `No user ${req.params.id}` });
  });
  router.delete("/dev/users/:id", async (req, res) => {
    if (!identity.user(req.params.id)) {
      res.status(404).json({ error: `No user ${req.params.id}` });
      return;
    }
    await identity.deleteUser(req.params.id);
    res.json({ deleted: true });
  });
  router.post("/dev/tokens", (req, res) => {
    const body = read(TokenRequest, req.body, res);
    if (!body) return;
    const { userId, role, expiresInSeconds, fault } = body;
    const token = identity.issueToken(userId, {
      ...(role === undefined ? {} : { role }),
      ...(expiresInSeconds === undefined ? {} : { expiresInSeconds }),
      ...(fault === undefined ? {} : tokenFaults[fault]),
    });
    res.json({ token: fault === "wrong-signature" ? withOtherSignature(token) : token });
  });
  return router;
}

function matches({ id, firstName, lastName, email, publicMetadata }: User, query: string): boolean {
  const text = [id, firstName, lastName, email, publicMetadata.role ?? "student"].join(" ").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Replaces the signature by that of another text with equal length. */
function withOtherSignature(token: string): string {
  const [header, payload, signature = ""] = token.split(".");
  return [header, payload, [...signature].reverse().join("")].join(".");
}
