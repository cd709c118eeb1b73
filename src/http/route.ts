import type { Request, RequestHandler, Response } from "express";
import { z } from "zod";
import type { Failure } from "../lib/errors.js";
import { objectId } from "../lib/fields.js";
import type { KeyScope } from "../models/users/api-key.js";
import type { Manager, Viewer } from "../models/users/user.js";
import type { Refusals, RouteAccess } from "./auth/guards.js";
import type { LimitName } from "./limits/rate-limits.js";
import type { AcceptedBody } from "./pipeline/bodies.js";

/** Writes `{ success: true, ...value }` with the fields that the reply's schema names. @throws ZodError */
export type WriteReply = (value: unknown) => string;

/** The result of a handler that has sent the response itself. */
export const alreadySent = { alreadySent: true } as const;
export type AlreadySent = typeof alreadySent;

export interface RouteRequest<P, Q, B, A extends RouteAccess> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly viewer: A extends "public" ? Viewer | undefined : Viewer;
  /** The viewer in the role of the route. */
  readonly manager: A extends Manager["role"] ? Manager : undefined;
  readonly req: Request;
  readonly res: Response;
  /** Aborts when the client goes away before the reply is complete. */
  readonly signal: AbortSignal;
  /** For a handler that sends its reply itself. */
  readonly write: WriteReply;
}

type Method = "get" | "post" | "put" | "patch" | "delete";

type ParamOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
/** The parameters of a path. */
export type PathParams<Path extends string> = Path extends string
  ? { readonly [Name in ParamOf<Path>]: string }
  : never;

/** Parameters that may be any text. Each other one is an object id. */
const textParams = [
  "certificateId",
  "chapterId",
  "enrollmentId",
  "lectureId",
  "list",
  "pathId",
  "sessionId",
  "slug",
  "token",
  "userId",
];

const paramsOf = (path: string) =>
  z.object(
    Object.fromEntries(
      [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => [name, textParams.includes(name) ? z.string() : objectId]),
    ),
  );

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
/** A route without fields of its own may return nothing. */
type Answer<R extends z.ZodObject> =
  | Promise<z.input<R> | AlreadySent>
  | (R extends z.ZodObject<Record<never, never>> ? Promise<void> : never);

/**
 * The declaration of a route: its access, limits, validation, reply, handler and documentation.
 * A 200 reply is `{ success: true, ...reply }`. A field that `reply` does not name cannot leave the server.
 */
export interface RouteSpec<
  A extends RouteAccess,
  Path extends string,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
  R extends z.ZodObject,
> {
  /** Name of the operation in the description, and of the client's function. */
  readonly operationId: string;
  /** A beta route may change within a major version. Other routes are stable. */
  readonly stability?: "beta";
  readonly summary: string;
  readonly description?: string;
  readonly access: A;
  /** The scope with which an API key may call the route. Absent: the route takes no keys. */
  readonly scope?: A extends "educator" | "admin" ? KeyScope : never;
  readonly limit?: LimitName;
  /** Browsers give the reply to pages of every origin. Absent: to pages of the frontend alone. */
  readonly anyOrigin?: true;
  /** Name under which the outcomes of its requests are counted and logged. */
  readonly operation?: string;
  /** Runs between access check and validation. Fills `req.body` and `req.file` of a multipart request. */
  readonly upload?: RequestHandler;
  readonly query?: Q;
  readonly body?: B;
  /** Absent: JSON of up to 100 kB. */
  readonly accepts?: AcceptedBody;
  /** Answer to a body or query that does not fit; `Invalid request data` by default. */
  readonly invalid?: Failure;
  /** Answer to an unexpected error of the handler; `An unexpected error occurred` by default. */
  readonly fallbackError?: Failure;
  /** Absent: the reply has no fields of its own. */
  readonly reply?: R;
  /** Content type of a reply that is a file. A file has no `reply`. */
  readonly file?:
    | "application/pdf"
    | "application/json"
    | "application/octet-stream"
    | "image/png"
    | "text/csv"
    | "text/plain"
    | "text/html";
  readonly errors?: readonly Failure[];
  /** Further content types of the reply, for the documentation. */
  readonly alsoProduces?: readonly string[];
  handle(request: RouteRequest<PathParams<Path>, Parsed<Q>, Parsed<B>, A>): Answer<R>;
}

/** A declared route without its type parameters, for mounting and documentation. */
export type Route = Omit<RouteSpec<RouteAccess, string, z.ZodType, z.ZodType, z.ZodObject>, "handle"> & {
  readonly method: Method;
  readonly path: string;
  readonly params: z.ZodObject;
  readonly reply: z.ZodObject;
  readonly errors: readonly Failure[];
  readonly write: WriteReply;
  run(request: RouteRequest<unknown, unknown, unknown, RouteAccess>): Promise<unknown>;
};

export interface RouteGroup {
  readonly name: string;
  readonly base: string;
  /** Refusals with other messages than `Unauthorized Access`. */
  readonly refusals?: Refusals;
  readonly routes: readonly Route[];
}

/** What holds for every path below a base, including unknown paths. */
const baseRules: Readonly<Record<string, { readonly access?: RouteAccess; readonly limit?: LimitName }>> = {
  "/api/user": { access: "user" },
  "/api/admin": { access: "admin", limit: "admin" },
};
export const rulesOf = ({ base }: Pick<RouteGroup, "base">) => baseRules[base] ?? {};

/** Finds the limit of a route: its own, that of its base, or that of other writes. */
export const limitOf = (group: RouteGroup, { limit, method }: Route): LimitName | undefined =>
  limit ?? rulesOf(group).limit ?? (method === "get" ? undefined : "otherWrites");

/**
 * Declares a route.
 * @param path its parameters are object ids, but for `textParams`. A malformed id is answered 500, as specified.
 */
export function route<
  A extends RouteAccess,
  const Path extends string,
  R extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(method: Method, path: Path, spec: RouteSpec<A, Path, Q, B, R>): Route {
  const { handle, reply = z.object({}), errors = [], ...declared } = spec;
  const write: WriteReply = (value) => JSON.stringify({ success: true, ...reply.parse(value) });
  return { ...declared, method, path, params: paramsOf(path), reply, errors, write, run: handle } as unknown as Route;
}

/** Whether requests of a route are never refused for overload, because they move money. */
export const isAboutMoney = ({ limit, operation }: Route): boolean => limit === "payments" || operation !== undefined;
