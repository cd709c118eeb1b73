import type { Request, RequestHandler, Response } from "express";
import type { z } from "zod";
import { ApiError, InvalidRequest, Unexpected } from "../lib/errors.js";
import type { Viewer } from "../models/users/user.js";
import { viewerOf } from "./auth/guards.js";
import { type Admission, leave } from "./limits/admission.js";
import { trackWork } from "./limits/when-done.js";
import { explainInvalid } from "./pipeline/explain-invalid.js";
import { sendJson } from "./replies/send-text.js";
import { alreadySent, type Route, type RouteRequest, type WriteReply } from "./route.js";

/** Limits of routes that wait for the AI provider. */
const ofProvider = new Set(["aiChat", "aiGeneration", "quizSubmission"]);

/** Whether requests of a route are never refused for overload: money is on its way there. */
export const isMoney = ({ limit, operation }: Route): boolean => limit === "payments" || operation !== undefined;

/** Whether they take no place. A limit per user and the provider's own bounds hold where they wait for a provider. */
const isApart = (route: Route): boolean =>
  isMoney(route) || route.waitsForProvider === true || (route.limit !== undefined && ofProvider.has(route.limit));

/** Parses what was sent, runs the handler and sends its reply, when there is a place for it. */
export function serveRoute(route: Route, admission: Admission): RequestHandler {
  const serve = parsedAndHandled(route);
  const serveInPlace = async (req: Request, res: Response): Promise<void> => {
    await admission.enter(res);
    try {
      await serve(req, res);
    } finally {
      leave(res);
    }
  };
  const run = isApart(route) ? serve : serveInPlace;
  return (req, res) => {
    const work = run(req, res);
    trackWork(res, work);
    return work;
  };
}

function parsedAndHandled(route: Route) {
  return async (req: Request, res: Response): Promise<void> => {
    const invalid = route.invalid ?? InvalidRequest;
    const body = parse(route.body, req.body ?? {}, invalid, "body");
    const params = parse(route.params, req.params, Unexpected);
    const query = route.query && parse(route.query, req.query, invalid, "query");
    try {
      const result = await route.run(new MountedRequest(params, query, body, req, res, route.write));
      if (result === alreadySent) return;
      sendJson(res, route.write(result));
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw (route.fallbackError ?? Unexpected)(error);
    }
  };
}

function parse(
  schema: z.ZodType | undefined,
  value: unknown,
  failure: (cause?: unknown) => ApiError,
  where?: "body" | "query",
): unknown {
  if (!schema) return undefined;
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const refused = failure(error);
  if (where) refused.explain = () => explainInvalid(where, error, value);
  throw refused;
}

/** What a handler is given; the signal is made when it is first asked for, since few handlers do. */
class MountedRequest implements RouteRequest<unknown, unknown, unknown, "public"> {
  readonly viewer: Viewer | undefined;
  #signal: AbortSignal | undefined;

  constructor(
    readonly params: unknown,
    readonly query: unknown,
    readonly body: unknown,
    readonly req: Request,
    readonly res: Response,
    readonly write: WriteReply,
  ) {
    this.viewer = viewerOf(req);
  }

  get signal(): AbortSignal {
    this.#signal ??= abortsWithClient(this.res);
    return this.#signal;
  }
}

function abortsWithClient(res: Response): AbortSignal {
  const controller = new AbortController();
  if (res.destroyed) controller.abort();
  res.once("close", () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}
