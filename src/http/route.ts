import type { Request, RequestHandler, Response } from "express";
import { z } from "zod";
import type { Failure } from "../lib/errors.js";
import type { KeyScope } from "../models/users/api-key.js";
import type { Manager, Viewer } from "../models/users/user.js";
import type { AuthContext, Refusals } from "./auth/guards.js";
import type { AcceptedBody } from "./pipeline/bodies.js";

/** Fields that the server adds to the objects of Express. */
declare global {
  namespace Express {
    interface Request {
      /** The client's `X-Request-Id` if it is well-formed, otherwise a new id. */
      id: string;
      authContext?: AuthContext;
      /** Whether the client sent an API key in the address. */
      hasKeyInAddress?: boolean;
      /** The pattern of the route that the request is for, for example `/api/course/:id`. */
      routePattern?: string;
    }
    interface Response {
      /** Settles when the handler of the request has ended. */
      work?: Promise<unknown>;
      /** The outcome of an operation, and further fields of its log line. */
      outcome?: { readonly name: string; readonly about: object };
    }
  }
}

/** Who may call a route: everyone, signed-in users, users with exactly this role, or any API key. */
export type Access = "public" | "user" | "educator" | "admin" | "key";

/** Names of the rate limits (docs/behaviour.md, Limits). */
export type LimitName =
  | "aiChat"
  | "payments"
  | "aiGeneration"
  | "quizSubmission"
  | "communityWrites"
  | "admin"
  | "otherWrites";

/** Writes `{ success: true, ...value }` with the fields that the reply's schema names. @throws ZodError */
export type WriteReply = (value: unknown) => string;

/** The result of a handler that has sent the response itself. */
export const alreadySent = { alreadySent: true } as const;
export type AlreadySent = typeof alreadySent;

export interface RouteRequest<P, Q, B, A extends Access> {
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

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Reply<S> = S extends z.ZodType ? z.input<S> : never;

/**
 * The declaration of a route: its access, limits, validation, reply, handler and documentation.
 * A 200 reply is `{ success: true, ...reply }`. A field that `reply` does not name cannot leave the server.
 */
export interface RouteSpec<
  A extends Access,
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
  R extends z.ZodObject,
> {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  readonly path: string;
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
  /** A value that does not fit is answered 500, as specified for malformed object ids. */
  readonly params?: P;
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
  handle(request: RouteRequest<Parsed<P>, Parsed<Q>, Parsed<B>, A>): Promise<Reply<R> | AlreadySent>;
}

/** A declared route without its type parameters, for mounting and documentation. */
export type Route = Omit<RouteSpec<Access, z.ZodType, z.ZodType, z.ZodType, z.ZodObject>, "handle"> & {
  readonly reply: z.ZodObject;
  readonly errors: readonly Failure[];
  readonly write: WriteReply;
  run(request: RouteRequest<unknown, unknown, unknown, Access>): Promise<unknown>;
};

export interface RouteGroup {
  readonly name: string;
  readonly base: string;
  /** Refusals with other messages than `Unauthorized Access`. */
  readonly refusals?: Refusals;
  readonly routes: readonly Route[];
}

/** What holds for every path below a base, including unknown paths. */
const baseRules: Readonly<Record<string, { readonly access?: Access; readonly limit?: LimitName }>> = {
  "/api/user": { access: "user" },
  "/api/admin": { access: "admin", limit: "admin" },
};
export const rulesOf = ({ base }: Pick<RouteGroup, "base">) => baseRules[base] ?? {};

export function route<
  A extends Access,
  R extends z.ZodObject = z.ZodObject<Record<never, never>>,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(spec: RouteSpec<A, P, Q, B, R>): Route {
  const { handle, reply = z.object({}), errors = [], ...declared } = spec;
  const write: WriteReply = (value) => JSON.stringify({ success: true, ...reply.parse(value) });
  return { ...declared, reply, errors, write, run: handle } as unknown as Route;
}

/** Whether requests of a route are never refused for overload, because they move money. */
export const isAboutMoney = ({ limit, operation }: Route): boolean => limit === "payments" || operation !== undefined;
