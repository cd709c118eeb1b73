import { type NextFunction, type Request, type Response, Router } from "express";
import { z } from "zod";
import { bearerToken, sameText } from "../credentials.js";
import { faultInjector } from "../fault-routes.js";
import type { Faults, TransportFault } from "../faults.js";
import type { TokenIssuer } from "./tokens.js";
import { userObject } from "./user-object.js";
import type { User, Users } from "./users.js";

/** Operations that a fault can name in `on`. */
export type IdentityOperation = "users.list" | "users.count" | "users.fetch" | "users.metadata" | "jwks";

const MetadataBody = z.object({
  public_metadata: z.record(z.string(), z.unknown()).optional(),
  private_metadata: z.record(z.string(), z.unknown()).optional(),
  unsafe_metadata: z.record(z.string(), z.unknown()).optional(),
});

export interface BackendApiParts {
  users: Users;
  issuer: TokenIssuer;
  faults: Faults<TransportFault>;
  secretKey: string;
  /** Called after a metadata change. The provider sends `user.updated` for it. */
  changed(user: User): Promise<void>;
}

/** Serves the calls of the provider's Backend API that the application uses. It expects parsed JSON bodies. */
export function backendApi({ users, issuer, faults, secretKey, changed }: BackendApiParts): Router {
  const router = Router();
  const injectFault = (operation: IdentityOperation) =>
    faultInjector(faults, (res, status) => fail(res, status, "internal_clerk_error", "Scripted fault"))(operation);

  router.use("/v1", (req: Request, res: Response, next: NextFunction) => {
    if (sameText(bearerToken(req), secretKey)) next();
    else fail(res, 401, "authentication_invalid", "Invalid authentication");
  });

  router.get("/v1/jwks", injectFault("jwks"), (_req, res) => reply(res, 200, issuer.keySet));

  router.get("/v1/users/count", injectFault("users.count"), (req, res) =>
    reply(res, 200, { object: "total_count", total_count: findUsers(users, req.query).length }),
  );

  router.get("/v1/users", injectFault("users.list"), (req, res) => {
    const offset = wholeNumber(req.query.offset, 0);
    const found = findUsers(users, req.query).slice(offset, offset + wholeNumber(req.query.limit, 10));
    reply(res, 200, found.map(userObject));
  });

  router.get("/v1/users/:id", injectFault("users.fetch"), (req, res) => {
    const user = users.find(req.params.id);
    if (user) reply(res, 200, userObject(user));
    else userNotFound(res, req.params.id);
  });

  router.patch("/v1/users/:id/metadata", injectFault("users.metadata"), async (req, res) => {
    const user = users.find(req.params.id);
    if (!user) return userNotFound(res, req.params.id);
    const body = MetadataBody.safeParse(req.body);
    if (!body.success) return fail(res, 422, "form_param_format_invalid", "metadata must be a valid JSON object");
    await users.patchMetadata(user, {
      publicMetadata: body.data.public_metadata ?? {},
      privateMetadata: body.data.private_metadata ?? {},
      unsafeMetadata: body.data.unsafe_metadata ?? {},
    });
    await changed(user);
    reply(res, 200, userObject(user));
  });

  router.use("/v1", (_req, res) => fail(res, 404, "resource_not_found", "not found"));
  return router;
}

/** Lists users, newest first. `user_id`, `email_address` and `query` filter as at the provider. */
function findUsers(users: Users, query: Request["query"]): User[] {
  const ids = toTexts(query.user_id).map((id) => id.replace(/^\+/, ""));
  const emails = toTexts(query.email_address).map((email) => email.toLowerCase());
  const words = toTexts(query.query)[0]?.toLowerCase() ?? "";
  return users
    .list()
    .filter(
      (user) =>
        (ids.length === 0 || ids.includes(user.id)) &&
        (emails.length === 0 || emails.includes(user.email?.toLowerCase() ?? "")) &&
        `${user.id} ${user.firstName} ${user.lastName} ${user.email}`.toLowerCase().includes(words),
    )
    .reverse();
}

function toTexts(value: unknown): string[] {
  return [value].flat().filter((item) => typeof item === "string");
}

function wholeNumber(value: unknown, fallback: number): number {
  const number = Number(value ?? Number.NaN);
  return Number.isInteger(number) && number >= 0 ? number : fallback;
}

function userNotFound(res: Response, id: string | undefined): void {
  fail(res, 404, "resource_not_found", "not found", `No user was found with id ${id}.`);
}

function fail(res: Response, status: number, code: string, message: string, longMessage = message): void {
  reply(res, status, {
    errors: [{ message, long_message: longMessage, code }],
    clerk_trace_id: "0af7651916cd43dd8448eb211c80319c",
  });
}

/** Sends JSON without a charset, because the provider's SDK accepts only the exact type `application/json`. */
function reply(res: Response, status: number, body: unknown): void {
  res.writeHead(status, { "content-type": "application/json" });
  res.end(JSON.stringify(body));
}
