import { resolve } from "node:path";
import type { z } from "zod";
import { frontendApiOf, type Variable, variables } from "./env.js";
import type { Logo } from "./logo.js";

/** Seller, tax and numbering of invoices. */
export interface InvoiceSettings {
  readonly prefix: string;
  /** 1 to 12. */
  readonly yearStartMonth: number;
  /** `address` may have several lines. Unset texts are empty. */
  readonly seller: { readonly name: string; readonly address: string; readonly taxId: string };
  /** The tax that prices include; null for none. */
  readonly tax: { readonly name: string; readonly percent: number } | null;
}

/** The configuration from the environment, parsed once. */
export interface Config {
  readonly production: boolean;
  readonly port: number;
  /** The one allowed browser origin (scheme, host, port). */
  /** Hosts of pages that lectures may embed. */
  readonly embedHosts: readonly string[];
  readonly frontendOrigin: string;
  /** Public base of this API without a trailing slash, for the QR codes of certificates. */
  readonly backendUrl: string;
  readonly mongodbUri: string;
  readonly redisUrl: string | undefined;
  /** Number of proxies in front whose `X-Forwarded-For` entry is believed. */
  readonly trustProxyHops: number;
  /** Whether each rate limit allows ten times its requests. Never in production. */
  readonly relaxedRateLimits: boolean;
  readonly logLevel: string;
  /** Of the sources that were built; empty when unknown. */
  readonly revision: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly invoices: InvoiceSettings;
  /** Name and look of the platform, on certificates and elsewhere. */
  readonly platform: {
    readonly name: string;
    /** `#rrggbb` */
    readonly color: string;
    readonly logo: Logo | undefined;
  };
  readonly metricsToken: string | undefined;
  /** Whether `/metrics` is served without a token. */
  readonly metricsOpen: boolean;
  /** Whether the deletion of an account at the identity provider erases the user's data. */
  readonly eraseDeletedAccounts: boolean;
  /** How long events are listed. */
  readonly eventRetentionDays: number;
  readonly identity: {
    readonly publishableKey: string;
    /** Address of the frontend API that the publishable key names: `iss` of its session tokens. */
    readonly issuer: string;
    readonly secretKey: string;
    readonly jwtKey: string | undefined;
    readonly apiUrl: string | undefined;
    /** Accepted secrets: the new and the old one during rotation. */
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
    /** Time limit of one attempt, including the body of a stream. */
    readonly timeoutMs: number;
    /** Time limit of the AI's advice after a quiz. */
    readonly adviceTimeoutMs: number;
  };
}

type Environment = Record<string, string | undefined>;

/** Names all missing and malformed variables, without their values. */
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
  for (const [name, { schema, when, fallback, about }] of Object.entries<Variable>(variables)) {
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
  if (production && values.RATE_LIMITS === "relaxed") {
    problems.push("RATE_LIMITS must not be relaxed in production: unset it");
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return values as Values;
}

/** Letter case and padding do not count. `parseConfig` refuses unknown values. */
export const isProduction = ({ NODE_ENV }: Environment): boolean => NODE_ENV?.trim().toLowerCase() === "production";

/**
 * Checks the variables that are set, before development adds those of the emulators.
 * @throws ConfigError that names the malformed variables.
 */
export function checkGivenValues(env: Environment): void {
  parseValues(env, isProduction(env), false);
}

/** The folder of the embedded database, emulated media and development secrets. */
export function dataFolder(env: Environment): string {
  const { schema, fallback } = variables.DATA_DIR;
  return resolve(schema.parse(env.DATA_DIR?.trim() || fallback));
}

/** @throws ConfigError that names the missing and malformed variables. */
export function parseConfig(env: Environment): Config {
  const production = isProduction(env);
  const v = parseValues(env, production);
  /** `parseValues` has refused missing variables. In development, variables of a provider may still be absent. */
  const orEmpty = (value: string | undefined): string => value ?? "";
  return {
    production,
    port: v.PORT ?? 3000,
    embedHosts: v.EMBED_HOSTS ?? [],
    frontendOrigin: new URL(orEmpty(v.FRONTEND_URL)).origin,
    backendUrl: orEmpty(v.BACKEND_URL).replace(/\/$/, ""),
    mongodbUri: orEmpty(v.MONGODB_URI),
    redisUrl: v.REDIS_URL,
    trustProxyHops: v.TRUST_PROXY_HOPS ?? 0,
    relaxedRateLimits: v.RATE_LIMITS === "relaxed",
    logLevel: v.LOG_LEVEL ?? "info",
    revision: v.REVISION ?? "",
    currency: orEmpty(v.CURRENCY),
    invoices: {
      prefix: orEmpty(v.INVOICE_PREFIX),
      yearStartMonth: v.INVOICE_YEAR_START_MONTH ?? 4,
      seller: {
        name: v.SELLER_NAME ?? orEmpty(v.PLATFORM_NAME),
        address: orEmpty(v.SELLER_ADDRESS),
        taxId: orEmpty(v.SELLER_TAX_ID),
      },
      tax: v.TAX_PERCENT ? { name: v.TAX_NAME ?? "tax", percent: v.TAX_PERCENT } : null,
    },
    platform: { name: orEmpty(v.PLATFORM_NAME), color: orEmpty(v.PLATFORM_COLOR), logo: v.PLATFORM_LOGO },
    metricsToken: v.METRICS_TOKEN,
    eventRetentionDays: v.EVENT_RETENTION_DAYS ?? 30,
    eraseDeletedAccounts: v.ERASE_DELETED_ACCOUNTS === "on",
    metricsOpen: !production || v.METRICS === "open",
    identity: {
      publishableKey: orEmpty(v.CLERK_PUBLISHABLE_KEY),
      issuer: `https://${frontendApiOf(orEmpty(v.CLERK_PUBLISHABLE_KEY))}`,
      secretKey: orEmpty(v.CLERK_SECRET_KEY),
      jwtKey: v.CLERK_JWT_KEY,
      apiUrl: v.CLERK_API_URL?.replace(/\/$/, ""),
      webhookSecrets: v.CLERK_WEBHOOK_SECRET ?? [],
    },
    payments: {
      keyId: orEmpty(v.RAZORPAY_KEY_ID),
      keySecret: orEmpty(v.RAZORPAY_KEY_SECRET),
      apiUrl: v.RAZORPAY_API_URL?.replace(/\/$/, ""),
      webhookSecrets: v.RAZORPAY_WEBHOOK_SECRET ?? [],
    },
    cloudinaryUrl: orEmpty(v.CLOUDINARY_URL),
    ai: {
      apiKey: orEmpty(v.OPENAI_API_KEY),
      baseUrl: v.OPENAI_BASE_URL,
      model: orEmpty(v.OPENAI_MODEL),
      timeoutMs: v.OPENAI_TIMEOUT_MS ?? 60_000,
      adviceTimeoutMs: v.OPENAI_ADVICE_TIMEOUT_MS ?? 10_000,
    },
  };
}

/** Lists the secrets in every form in which they are sent, because no log may show them. */
export function secretsOf({ identity, payments, ai, metricsToken, ...addresses }: Config): string[] {
  const { keyId, keySecret } = payments;
  const secrets = [
    identity.secretKey,
    ...identity.webhookSecrets,
    keySecret,
    Buffer.from(`${keyId}:${keySecret}`).toString("base64"),
    ...payments.webhookSecrets,
    ai.apiKey,
    metricsToken,
    ...[addresses.cloudinaryUrl, addresses.mongodbUri, addresses.redisUrl].map(passwordIn),
  ];
  return secrets.filter((secret) => secret !== undefined);
}

/** Finds the password of an address, between the first colon of its authority and the last @. */
const passwordIn = (address: string | undefined): string | undefined =>
  /^[\w+]+:\/\/[^/?:@]*:([^/?]+)@/.exec(address ?? "")?.[1];
