import { createPublicKey } from "node:crypto";
import { z } from "zod";

/** Everything the server is told by its environment, parsed once. Secrets are never logged. */
export interface Config {
  readonly production: boolean;
  readonly port: number;
  /** The one allowed browser origin (scheme, host, port). */
  readonly frontendOrigin: string;
  /** Public base of this API without a trailing slash: target of certificate QR codes. */
  readonly backendUrl: string;
  readonly mongodbUri: string;
  readonly redisUrl: string | undefined;
  /** Number of proxies in front whose `X-Forwarded-For` entry is believed. */
  readonly trustProxyHops: number;
  readonly logLevel: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly metricsToken: string | undefined;
  readonly identity: {
    readonly publishableKey: string;
    readonly secretKey: string;
    readonly jwtKey: string | undefined;
    readonly apiUrl: string | undefined;
    /** Any one of them may have signed: new and old during rotation. */
    readonly webhookSecrets: readonly string[];
  };
  readonly payments: {
    readonly keyId: string;
    readonly keySecret: string;
    readonly apiUrl: string | undefined;
    readonly webhookSecrets: readonly string[];
  };
  /** `cloudinary://key:secret@cloud?upload_prefix=…` */
  readonly cloudinaryUrl: string;
  readonly ai: {
    readonly apiKey: string;
    readonly baseUrl: string | undefined;
    readonly model: string;
    /** Longest time for one attempt at a call, a stream's body included. */
    readonly timeoutMs: number;
    /** How long a learner who submitted a quiz waits for the AI's advice at most. */
    readonly adviceTimeoutMs: number;
  };
}

type Environment = Record<string, string | undefined>;

const url = z.url({ protocol: /^https?$/, error: "must be an http(s) URL" });
const secret = z.string().min(1);
const list = (item: RegExp, shape: string) =>
  z
    .string()
    .transform((value) => value.split(",").map((part) => part.trim()))
    .refine((parts) => parts.length > 0 && parts.every((part) => item.test(part)), `must be ${shape}`);

const number = (max: number, min = 0) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

/** Session tokens are signed with RS256: another kind of key would refuse every one of them. */
function isRsaPublicKey(pem: string): boolean {
  try {
    return pem.startsWith("-----BEGIN PUBLIC KEY-----") && createPublicKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

type When = "mandatory" | "mandatory in production" | "optional";

interface Variable {
  readonly name: string;
  readonly about: string;
  readonly schema: z.ZodType;
  readonly when: When;
  readonly fallback?: string;
}

const variable = <S extends z.ZodType>(
  name: string,
  about: string,
  schema: S,
  when: When = "optional",
  fallback?: string,
) => ({ name, about, schema, when, ...(fallback === undefined ? {} : { fallback }) });

/**
 * The variables (contract, Environment), in the order of `.env.example`. The collaborators' groups are mandatory for the
 * server itself; in development `dev.ts` fills in the unset ones from the sandbox before the server reads them.
 */
export const variables = {
  PORT: variable("PORT", "listen port", number(65_535), "optional", "3000"),
  NODE_ENV: variable("NODE_ENV", "`production` switches on the strict rules", z.string(), "optional", "development"),
  FRONTEND_URL: variable(
    "FRONTEND_URL",
    "the one allowed browser origin",
    url,
    "mandatory in production",
    "http://localhost:5173",
  ),
  BACKEND_URL: variable(
    "BACKEND_URL",
    "public base of this API, target of certificate QR codes",
    url,
    "mandatory in production",
    "http://localhost:3000",
  ),
  MONGODB_URI: variable(
    "MONGODB_URI",
    "database; unset in development: an embedded one",
    z.string().regex(/^mongodb(\+srv)?:\/\/\S+$/, "must be a mongodb:// URI"),
    "mandatory",
  ),
  DATA_DIR: variable(
    "DATA_DIR",
    "folder of the embedded database, stand-in media and development secrets",
    z.string().min(1),
    "optional",
    "./.data",
  ),
  REDIS_URL: variable(
    "REDIS_URL",
    "shared rate-limit counters; unset: counters per process",
    z.string().regex(/^rediss?:\/\/\S+$/, "must be a redis:// URL"),
  ),
  TRUST_PROXY_HOPS: variable(
    "TRUST_PROXY_HOPS",
    "trusted proxies in front of the server, for the client address",
    number(32),
    "optional",
    "0",
  ),
  LOG_LEVEL: variable(
    "LOG_LEVEL",
    "log verbosity: fatal, error, warn, info, debug, trace or silent",
    z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]),
    "optional",
    "info",
  ),
  CURRENCY: variable(
    "CURRENCY",
    "ISO 4217 currency of prices and orders",
    z.string().regex(/^[A-Z]{3}$/, "must be three capital letters"),
    "optional",
    "INR",
  ),
  METRICS_TOKEN: variable("METRICS_TOKEN", "protects /metrics as a bearer token; unset: open", secret),
  CLERK_PUBLISHABLE_KEY: variable(
    "CLERK_PUBLISHABLE_KEY",
    "identity provider: publishable key",
    z.string().regex(/^pk_(test|live)_\S+$/, "must be a pk_… key"),
    "mandatory",
  ),
  CLERK_SECRET_KEY: variable("CLERK_SECRET_KEY", "identity provider: secret key", secret, "mandatory"),
  CLERK_JWT_KEY: variable(
    "CLERK_JWT_KEY",
    "PEM public key: tokens are verified without a network call; unset: the key set is fetched",
    z
      .string()
      .transform((pem) => pem.replaceAll("\\n", "\n").trim())
      .refine(isRsaPublicKey, "must be a PEM public key (RSA)"),
  ),
  CLERK_API_URL: variable("CLERK_API_URL", "identity API override, scheme and host only", url),
  CLERK_WEBHOOK_SECRET: variable(
    "CLERK_WEBHOOK_SECRET",
    "identity webhook signing secret, `whsec_…`; several separated by commas during rotation",
    list(/^whsec_(?=.)([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, "whsec_… secrets in base64"),
    "mandatory",
  ),
  RAZORPAY_KEY_ID: variable("RAZORPAY_KEY_ID", "payment provider: key id", secret, "mandatory"),
  RAZORPAY_KEY_SECRET: variable("RAZORPAY_KEY_SECRET", "payment provider: key secret", secret, "mandatory"),
  RAZORPAY_WEBHOOK_SECRET: variable(
    "RAZORPAY_WEBHOOK_SECRET",
    "payment webhook secret; several separated by commas during rotation",
    list(/^.+$/, "a secret"),
    "mandatory",
  ),
  RAZORPAY_API_URL: variable("RAZORPAY_API_URL", "payment API override, scheme and host only", url),
  CLOUDINARY_URL: variable(
    "CLOUDINARY_URL",
    "media storage: `cloudinary://key:secret@cloud`, `?upload_prefix=` override allowed",
    z.string().regex(/^cloudinary:\/\/[^:@/\s]+:[^@/\s]+@[^/?\s]+(\?\S*)?$/, "must be cloudinary://key:secret@cloud"),
    "mandatory",
  ),
  OPENAI_API_KEY: variable("OPENAI_API_KEY", "AI provider (chat-completions protocol): key", secret, "mandatory"),
  OPENAI_BASE_URL: variable("OPENAI_BASE_URL", "AI provider: address, e.g. https://api.openai.com/v1", url),
  OPENAI_MODEL: variable("OPENAI_MODEL", "AI provider: model", z.string().min(1), "optional", "gpt-4o-mini"),
  OPENAI_TIMEOUT_MS: variable(
    "OPENAI_TIMEOUT_MS",
    "AI provider: longest time for one attempt at a call in milliseconds, at most 60000",
    number(60_000, 1),
    "optional",
    "60000",
  ),
  OPENAI_ADVICE_TIMEOUT_MS: variable(
    "OPENAI_ADVICE_TIMEOUT_MS",
    "AI provider: longest wait for advice after a quiz in milliseconds; plain advice stands then",
    number(60_000, 1),
    "optional",
    "10000",
  ),
} as const satisfies Record<string, Variable>;

/** Names every missing and malformed variable at once; values are never part of the message. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is incomplete or malformed:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "ConfigError";
  }
}

type Values = { [K in keyof typeof variables]: z.output<(typeof variables)[K]["schema"]> | undefined };

function parseValues(env: Environment, production: boolean, complete = true): Values {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const entry of Object.values(variables) as Variable[]) {
    const { name, schema, when, fallback, about } = entry;
    const given = env[name]?.trim() || undefined;
    const mandatory = when === "mandatory" || (when === "mandatory in production" && production);
    if (given === undefined && mandatory) {
      if (complete) problems.push(`${name} is missing (${about})`);
      continue;
    }
    const text = given ?? fallback;
    if (text === undefined) continue;
    const parsed = schema.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${name} is malformed: ${parsed.error.issues[0]?.message ?? about}`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return values as Values;
}

/**
 * For development, before stand-ins fill in what is missing.
 * @throws ConfigError naming everything that is malformed.
 */
export function checkGivenValues(env: Environment): void {
  parseValues(env, env.NODE_ENV === "production", false);
}

/** @throws ConfigError naming everything that is missing or malformed. */
export function parseConfig(env: Environment): Config {
  const production = env.NODE_ENV === "production";
  const v = parseValues(env, production);
  const must = (value: string | undefined): string => value ?? "";
  return {
    production,
    port: v.PORT ?? 3000,
    frontendOrigin: new URL(must(v.FRONTEND_URL)).origin,
    backendUrl: must(v.BACKEND_URL).replace(/\/$/, ""),
    mongodbUri: must(v.MONGODB_URI),
    redisUrl: v.REDIS_URL,
    trustProxyHops: v.TRUST_PROXY_HOPS ?? 0,
    logLevel: v.LOG_LEVEL ?? "info",
    currency: must(v.CURRENCY),
    metricsToken: v.METRICS_TOKEN,
    identity: {
      publishableKey: must(v.CLERK_PUBLISHABLE_KEY),
      secretKey: must(v.CLERK_SECRET_KEY),
      jwtKey: v.CLERK_JWT_KEY,
      apiUrl: v.CLERK_API_URL?.replace(/\/$/, ""),
      webhookSecrets: v.CLERK_WEBHOOK_SECRET ?? [],
    },
    payments: {
      keyId: must(v.RAZORPAY_KEY_ID),
      keySecret: must(v.RAZORPAY_KEY_SECRET),
      apiUrl: v.RAZORPAY_API_URL?.replace(/\/$/, ""),
      webhookSecrets: v.RAZORPAY_WEBHOOK_SECRET ?? [],
    },
    cloudinaryUrl: must(v.CLOUDINARY_URL),
    ai: {
      apiKey: must(v.OPENAI_API_KEY),
      baseUrl: v.OPENAI_BASE_URL,
      model: must(v.OPENAI_MODEL),
      timeoutMs: v.OPENAI_TIMEOUT_MS ?? 60_000,
      adviceTimeoutMs: v.OPENAI_ADVICE_TIMEOUT_MS ?? 10_000,
    },
  };
}

/** The text of `.env.example`: every variable with its meaning and default. A test fails when the file is stale. */
export function envExample(): string {
  const lines = [
    "# Every variable of the server. Outside production each collaborator whose variables are unset gets a local stand-in.",
    "# Generated from src/config.ts by `npm run docs`.",
  ];
  for (const { name, about, when, fallback } of Object.values(variables) as Variable[]) {
    const rule =
      when === "mandatory" ? " (mandatory in production)" : when === "optional" ? "" : " (mandatory in production)";
    lines.push("", `# ${about}${rule}`, `${fallback === undefined ? "# " : "# "}${name}=${fallback ?? ""}`);
  }
  return `${lines.join("\n")}\n`;
}
