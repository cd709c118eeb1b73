import type { Request, RequestHandler, Response } from "express";
import { MemoryStore, type Options, type RateLimitRequestHandler, rateLimit, type Store } from "express-rate-limit";
import { Counter, type Registry } from "prom-client";
import { type Failure, failure } from "../../lib/errors.js";
import { clientOf, keyOf, viewerOf } from "../context.js";

/** Names of the rate limits (docs/behaviour.md, Limits). */
export type LimitName =
  | "aiChat"
  | "payments"
  | "aiGeneration"
  | "quizSubmission"
  | "communityWrites"
  | "admin"
  | "otherWrites";

interface Scope {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly message: string;
  readonly only?: "post";
  /** Only refusals have headers of the limit, because callers must not see what is left. */
  readonly isHidden?: true;
  /** Requests that the limit does not count. By default these are the requests with an API key. */
  readonly skip?: (req: Request) => boolean;
}

const writes = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** The property that a limit's middleware sets on each request that it counts. */
const countedMark = "rateLimit";

/**
 * Counters of declared limits; of requests with an API key, of wrong keys by address; and of the conflicts that show an
 * educator which coupon codes exist.
 */
export type CounterName = LimitName | "apiKey" | "wrongKeys" | "couponConflicts";

const tooMany = "Too many requests. Please try again later.";

/** The limits of docs/behaviour.md, with the messages of their refusals. */
export const scopes: Record<CounterName, Scope> = {
  aiChat: {
    limit: 30,
    windowSeconds: 600,
    message: "Too many requests. Please wait a moment before sending another message.",
  },
  payments: { limit: 10, windowSeconds: 900, message: "Too many payment attempts. Please try again later." },
  aiGeneration: { limit: 10, windowSeconds: 3600, message: "Too many generation requests. Please try again later." },
  quizSubmission: {
    limit: 30,
    windowSeconds: 600,
    message: "Too many quiz submissions. Please wait before trying again.",
  },
  communityWrites: {
    limit: 20,
    windowSeconds: 600,
    message: "Too many community actions. Please slow down.",
    only: "post",
  },
  admin: { limit: 100, windowSeconds: 900, message: "Too many admin requests. Please try again later." },
  otherWrites: {
    limit: 600,
    windowSeconds: 600,
    message: tooMany,
    skip: (req) => !writes.has(req.method) || !viewerOf(req) || countedMark in req,
  },
  apiKey: { limit: 600, windowSeconds: 600, message: tooMany, skip: (req) => !keyOf(req) },
  wrongKeys: { limit: 600, windowSeconds: 600, message: tooMany, isHidden: true },
  // Counts the owner of a key, because an educator may have many keys.
  couponConflicts: { limit: 10, windowSeconds: 3600, message: tooMany, isHidden: true, skip: () => false },
};

/** Creates the counters of one scope. */
export type StoreFactory = (scope: CounterName) => Store;

export interface RateLimits {
  middleware(name: CounterName): RequestHandler;
  countsOnly(name: LimitName): "post" | undefined;
  /** Takes one unit, for a request whose cost only its handler knows. @throws the scope's 429 when no unit is left. */
  consume(name: CounterName, req: Request, res: Response): Promise<void>;
  /** Checks that a unit is left, without taking it. @throws the scope's 429 when no unit is left. */
  requireUnit(name: CounterName, req: Request, res: Response): Promise<void>;
}

/** The number of requests that a limit allows, and its window. */
export const rateOf = (name: CounterName): { requests: number; seconds: number } => ({
  requests: scopes[name].limit,
  seconds: scopes[name].windowSeconds,
});

/** The failure of a request over a limit. */
export const limitExceeded = (name: CounterName): Failure =>
  failure(
    `${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_limit_exceeded`,
    429,
    scopes[name].message,
  );

interface RateLimitOptions {
  /** Default: counters in memory. */
  readonly storeFor?: StoreFactory | undefined;
  /** Multiplies every limit. Default 1. */
  readonly factor?: number;
}

/** Creates one counter per scope, shared by all its paths and keyed by user id, otherwise by client address. */
export function createRateLimits(
  metrics: Registry,
  { storeFor = () => new MemoryStore(), factor = 1 }: RateLimitOptions = {},
): RateLimits {
  const refusals = new Counter({
    name: "http_server_rate_limited_requests_total",
    help: "Requests answered 429, by the limit that they met",
    labelNames: ["limit"],
    registers: [metrics],
  });
  const limiters = new Map<CounterName, RateLimitRequestHandler>();
  for (const [name, scope] of Object.entries(scopes) as [CounterName, Scope][]) {
    const refuse = limitExceeded(name);
    const options: Partial<Options> = {
      windowMs: scope.windowSeconds * 1000,
      limit: scope.limit * factor,
      standardHeaders: scope.isHidden ? false : "draft-6",
      legacyHeaders: false,
      requestPropertyName: countedMark,
      skip: (req) => scope.skip?.(req as Request) ?? keyOf(req as Request) !== undefined,
      store: storeFor(name),
      keyGenerator: (req) => clientOf(req as Request),
      handler: (_req, res, next) => {
        refusals.inc({ limit: name });
        if (scope.isHidden) res.setHeader("Retry-After", scope.windowSeconds);
        next(refuse());
      },
      validate: false,
    };
    limiters.set(name, rateLimit(options));
  }
  const middleware = (name: CounterName): RateLimitRequestHandler => {
    const limiter = limiters.get(name);
    if (!limiter) throw new Error(`no rate limit named ${name}`);
    return limiter;
  };
  const consume: RateLimits["consume"] = (name, req, res) =>
    new Promise((resolve, reject) => {
      middleware(name)(req, res, (error?: unknown) => (error ? reject(error) : resolve()));
    });
  return {
    middleware,
    countsOnly: (name) => scopes[name].only,
    consume,
    async requireUnit(name, req, res) {
      const used = await middleware(name).getKey(clientOf(req));
      if (used && used.totalHits >= scopes[name].limit * factor) await consume(name, req, res);
    },
  };
}
