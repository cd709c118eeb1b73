import type { Request, RequestHandler, Response } from "express";
import { z } from "zod";
import type { Failure } from "../lib/errors.js";
import type { Viewer } from "../models/users/user.js";

/** Who may call: every caller, every signed-in user, or exactly one role (strict equality, no hierarchy). */
export type Access = "public" | "user" | "educator" | "admin";

/** Names of the shared request counters (docs/behaviour.md, Limits). */
export type LimitName =
  | "aiChat"
  | "payments"
  | "aiGeneration"
  | "quizSubmission"
  | "communityWrites"
  | "admin"
  | "otherWrites";

/**
 * Writes a reply as `{ success: true, ...value }`, without fields that its schema does not name.
 * @throws ZodError for a value that the schema does not accept.
 */
export type WriteReply = (value: unknown) => string;

/** Returned by a handler that has written the response itself (a stream, a page). */
export const alreadySent = { alreadySent: true } as const;
export type AlreadySent = typeof alreadySent;

export interface RouteRequest<P, Q, B, A extends Access> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly viewer: A extends "public" ? Viewer | undefined : Viewer;
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
 * One route, declared once: serves access, limits, validation, the reply's shape and the documentation.
 * A 200 reply is `{ success:true, ...reply }`; a field that `reply` does not name cannot leave the server.
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
  readonly summary: string;
  readonly description?: string;
  readonly access: A;
  readonly limit?: LimitName;
  /** The outcomes of its requests are counted and logged under this name. */
  readonly operation?: string;
  /** Runs after the access check and before validation: fills `req.body` and `req.file` of a multipart request. */
  readonly upload?: RequestHandler;
  /** A value that does not fit is an error of the path: 500, as specified for malformed object ids. */
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Answer to a body or query that does not fit; `Invalid request data` unless the route has another. */
  readonly invalid?: Failure;
  /** Answer to an unforeseen error of the handler; `An unexpected error occurred` unless named otherwise. */
  readonly fallbackError?: Failure;
  /** Absent: the reply has no fields of its own. */
  readonly reply?: R;
  readonly errors?: readonly Failure[];
  /** Content types beside JSON that the route can answer with, for the documentation. */
  readonly alsoProduces?: readonly string[];
  handle(request: RouteRequest<Parsed<P>, Parsed<Q>, Parsed<B>, A>): Promise<Reply<R> | AlreadySent>;
}

/** A declared route whose types are closed: what mounting and documentation work with. */
export type Route = Omit<RouteSpec<Access, z.ZodType, z.ZodType, z.ZodType, z.ZodObject>, "handle"> & {
  readonly reply: z.ZodObject;
  readonly errors: readonly Failure[];
  readonly write: WriteReply;
  run(request: RouteRequest<unknown, unknown, unknown, "public">): Promise<unknown>;
};

export interface RouteGroup {
  readonly name: string;
  readonly base: string;
  /** Holds for every path below `base`, unknown ones included. */
  readonly access?: Access;
  /** Counts every path below `base`. */
  readonly limit?: LimitName;
  /** How this group words its refusals, where they are others than `Unauthorized Access`. */
  readonly refusals?: { readonly unauthenticated: Failure; readonly forbidden: Failure };
  readonly routes: readonly Route[];
}

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

/** Whether requests of a route are never refused for overload, because money is on its way there. */
export const isAboutMoney = ({ limit, operation }: Route): boolean => limit === "payments" || operation !== undefined;
