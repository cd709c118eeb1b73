import { type NextFunction, type Request, type Response, Router } from "express";
import type { ZodType } from "zod";
import { bearerToken, sameText } from "../credentials.js";
import { faultInjector } from "../fault-routes.js";
import type { Faults, TransportFault } from "../faults.js";
import type { TokenIssuer } from "./tokens.js";
import { userObject } from "./user-object.js";
import {
  describeIssue,
  MetadataBody,
  NewUserBody,
  refuseQuery,
  takenIdentifier,
  toMetadata,
  toUserFields,
  UserChangeBody,
  type UserRefusal,
} from "./user-requests.js";
import type { User, UserFields, Users } from "./users.js";

/** Operations that a fault can name in `on`. */
export type IdentityOperation =
  | "users.list"
  | "users.count"
  | "users.fetch"
  | "users.create"
  | "users.update"
  | "users.delete"
  | "users.metadata"
  | "jwks";

export interface BackendApiParts {
  users: Users;
  issuer: TokenIssuer;
  faults: Faults<TransportFault>;
  secretKey: string;
  /** Called after a user was created, changed or removed. The provider sends an event for it. */
  announce(change: "user.created" | "user.updated" | "user.deleted", user: User): Promise<void>;
}

/** Serves the provider's Backend API for users. It expects parsed JSON bodies. */
export function backendApi({ users, issuer, faults, secretKey, announce }: BackendApiParts): Router {
  const router = Router();
  const injectFault = (operation: IdentityOperation) =>
    faultInjector(faults, (res, status) => fail(res, status, "internal_clerk_error", "Scripted fault"))(operation);

  router.use("/v1", (req: Request, res: Response, next: NextFunction) => {
    if (sameText(bearerToken(req), secretKey)) next();
    else fail(res, 401, "authentication_invalid", "Invalid authentication");
  });

  router.get("/v1/jwks", injectFault("jwks"), (_req, res) => reply(res, 200, issuer.keySet));

  router.use(["/v1/users/count", "/v1/users"], (req: Request, res: Response, next: NextFunction) => {
    const refusal = req.method === "GET" ? refuseQuery(req.query) : undefined;
    if (refusal === undefined) next();
    else refuse(res, refusal);
  });

  /** Returns a parsed body. It answers 422 and returns undefined when the body does not fit. */
  const read = <Body>(schema: ZodType<Body>, req: Request, res: Response): Body | undefined => {
    const { data, error } = schema.safeParse(req.body ?? {});
    if (error) refuse(res, describeIssue(error.issues[0]));
    return data;
  };
  const findUser = (req: Request, res: Response): User | undefined => {
    const user = users.find(String(req.params.id));
    if (!user) userNotFound(res, String(req.params.id));
    return user;
  };

  router.get("/v1/users/count", injectFault("users.count"), (req, res) =>
    reply(res, 200, { object: "total_count", total_count: findUsers(users, req.query).length }),
  );

  router.get("/v1/users", injectFault("users.list"), (req, res) => {
    const offset = wholeNumber(req.query.offset, 0);
    const found = findUsers(users, req.query).slice(offset, offset + wholeNumber(req.query.limit, 10));
    reply(res, 200, found.map(userObject));
  });

  router.post("/v1/users", injectFault("users.create"), async (req, res) => {
    const body = read(NewUserBody, req, res);
    if (!body) return;
    const taken = findTaken(users, toUserFields(body));
    if (taken !== undefined) return refuse(res, takenIdentifier(taken));
    const user = await users.create(undefined, toUserFields(body));
    await announce("user.created", user);
    reply(res, 200, userObject(user));
  });

  router.get("/v1/users/:id", injectFault("users.fetch"), (req, res) => {
    const user = findUser(req, res);
    if (user) reply(res, 200, userObject(user));
  });

  router.patch("/v1/users/:id", injectFault("users.update"), async (req, res) => {
    const user = findUser(req, res);
    const body = user && read(UserChangeBody, req, res);
    if (!user || !body) return;
    const taken = findTaken(users, toUserFields(body), user);
    if (taken !== undefined) return refuse(res, takenIdentifier(taken));
    await users.update(user, toUserFields(body));
    await announce("user.updated", user);
    reply(res, 200, userObject(user));
  });

  router.delete("/v1/users/:id", injectFault("users.delete"), async (req, res) => {
    const user = findUser(req, res);
    if (!user) return;
    await users.remove(user);
    await announce("user.deleted", user);
    reply(res, 200, { id: user.id, object: "user", deleted: true });
  });

  /** `PATCH` merges deeply. `PUT` replaces each part that the body names. */
  const changeMetadata = async (req: Request, res: Response): Promise<void> => {
    const user = findUser(req, res);
    const body = user && read(MetadataBody, req, res);
    if (!user || !body) return;
    if (req.method === "PUT") await users.update(user, toMetadata(body));
    else await users.patchMetadata(user, toMetadata(body));
    await announce("user.updated", user);
    reply(res, 200, userObject(user));
  };
  router.patch("/v1/users/:id/metadata", injectFault("users.metadata"), changeMetadata);
  router.put("/v1/users/:id/metadata", injectFault("users.metadata"), changeMetadata);

  router.use("/v1", (_req, res) => fail(res, 404, "resource_not_found", "not found"));
  return router;
}

/** Returns the parameter whose value another user has. */
function findTaken(users: Users, fields: UserFields, self?: User): string | undefined {
  const others = users.list().filter((user) => user !== self);
  const email = fields.email?.toLowerCase();
  if (email && others.some((user) => user.email?.toLowerCase() === email)) return "email_address";
  if (fields.username && others.some(({ username }) => username === fields.username)) return "username";
  if (fields.externalId && others.some(({ externalId }) => externalId === fields.externalId)) return "external_id";
  return undefined;
}

/** Lists users, newest first unless `order_by` is `created_at`. The other parameters filter as at the provider. */
function findUsers(users: Users, query: Request["query"]): User[] {
  const emails = toTexts(query.email_address).map((email) => email.toLowerCase());
  const usernames = toTexts(query.username);
  const words = toTexts(query.query)[0]?.toLowerCase() ?? "";
  const found = users
    .list()
    .filter(
      (user) =>
        isSelected(user.id, toTexts(query.user_id)) &&
        isSelected(user.externalId ?? "", toTexts(query.external_id)) &&
        (emails.length === 0 || emails.includes(user.email?.toLowerCase() ?? "")) &&
        (usernames.length === 0 || usernames.includes(user.username ?? "")) &&
        searchText(user).includes(words),
    )
    .toSorted((one, other) => one.createdAt - other.createdAt);
  return /^\+?created_at$/.test(String(query.order_by)) ? found : found.reverse();
}

/** Checks an id against a filter of ids, in which `-` excludes an id and `+` changes nothing. */
function isSelected(id: string, filter: string[]): boolean {
  const included = filter.filter((value) => !value.startsWith("-")).map((value) => value.replace(/^\+/, ""));
  return !filter.includes(`-${id}`) && (included.length === 0 || included.includes(id));
}

/** Builds the text that `query` searches: the fields that the provider searches, in lower case. */
function searchText({ id, firstName, lastName, email, username }: User): string {
  return [id, firstName, lastName, email, username].filter(Boolean).join(" ").toLowerCase();
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

function refuse(res: Response, { code, message, longMessage, param }: UserRefusal): void {
  fail(res, 422, code, message, longMessage, { param_name: param });
}

function fail(
  res: Response,
  status: number,
  code: string,
  message: string,
  longMessage = message,
  meta?: { param_name: string },
): void {
  reply(res, status, {
    errors: [{ message, long_message: longMessage, code, ...(meta ? { meta } : {}) }],
    clerk_trace_id: "0af7651916cd43dd8448eb211c80319c",
  });
}

/** Sends JSON without a charset, because the provider's SDK accepts only the exact type `application/json`. */
function reply(res: Response, status: number, body: unknown): void {
  res.writeHead(status, { "content-type": "application/json" });
  res.end(JSON.stringify(body));
}
