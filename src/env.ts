import { createPublicKey } from "node:crypto";
import { z } from "zod";
import { readLogo } from "./logo.js";

const url = z.url({ protocol: /^https?$/, error: "must be an http(s) URL" });
const secret = z.string().min(1);
/** A shorter part of a value with commas is a fragment of one secret, not a secret. */
const shortestSecret = 16;
const list = (item: RegExp, shape: string) =>
  z
    .string()
    .transform((value) => {
      const parts = value.split(",").map((part) => part.trim());
      return parts.every(({ length }) => length >= shortestSecret) ? parts : [value];
    })
    .refine((parts) => parts.length > 0 && parts.every((part) => item.test(part)), `must be ${shape}`);

/** Host names with an optional port, separated by commas. */
const hosts = z
  .string()
  .transform((value) => value.split(",").map((host) => host.trim().toLowerCase()))
  .refine((all) => all.every((host) => /^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/.test(host)), "must be host names");

const number = (max: number, min = 0) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

/** The identity provider signs with RSA keys of 2048 bits. Its SDK reads no others, and would refuse every token. */
function isRsaPublicKey(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem);
    const isUsual = asymmetricKeyDetails?.modulusLength === 2048 && asymmetricKeyDetails.publicExponent === 65_537n;
    return /^-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem) && asymmetricKeyType === "rsa" && isUsual;
  } catch {
    return false;
  }
}

const isCloudinaryUrl = (value: string): boolean => {
  try {
    const { username, password, searchParams } = new URL(value);
    decodeURIComponent(username + password);
    const prefix = searchParams.get("upload_prefix");
    return prefix === null || url.safeParse(prefix).success;
  } catch {
    return false;
  }
};

/** By the formula of WCAG 2. */
function contrastWithWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

/** The host of the provider's frontend API, which a publishable key holds; undefined when it holds none. */
export function frontendApiOf(publishableKey: string): string | undefined {
  const encoded = /^pk_(?:test|live)_([\w+/=-]+)$/.exec(publishableKey)?.[1] ?? "";
  return /^([\w-]+(?:\.[\w-]+)*(?::\d{1,5})?)\$$/.exec(Buffer.from(encoded, "base64").toString())?.[1];
}

type When = "mandatory" | "mandatory in production" | "optional";

export interface Variable {
  readonly about: string;
  readonly schema: z.ZodType;
  readonly when: When;
  readonly fallback?: string;
}

const variable = <S extends z.ZodType>(about: string, schema: S, when: When = "optional", fallback?: string) => ({
  about,
  schema,
  when,
  ...(fallback === undefined ? {} : { fallback }),
});

/**
 * The variables in the order of `.env.example`. Those of the providers are mandatory for the server itself; in
 * development `dev.ts` points the unset ones at emulators before the server reads them.
 */
export const variables = {
  PORT: variable("listen port", number(65_535), "optional", "3000"),
  NODE_ENV: variable(
    "`production` switches on the strict rules; the other values are development and test",
    z
      .string()
      .toLowerCase()
      .pipe(z.enum(["production", "development", "test"])),
    "optional",
    "development",
  ),
  EMBED_HOSTS: variable(
    "hosts of pages that lectures may embed, separated by commas",
    hosts,
    "optional",
    "www.youtube.com,youtube.com,youtu.be,www.youtube-nocookie.com,player.vimeo.com,vimeo.com,www.dailymotion.com," +
      "geo.dailymotion.com,fast.wistia.net,www.loom.com",
  ),
  FRONTEND_URL: variable("the one allowed browser origin", url, "mandatory in production", "http://localhost:5173"),
  BACKEND_URL: variable(
    "public base of this API, target of certificate QR codes",
    url,
    "mandatory in production",
    "http://localhost:3000",
  ),
  MONGODB_URI: variable(
    "database: a replica set (one member will do) or a sharded cluster; unset in development: an embedded one",
    z.string().regex(/^mongodb(\+srv)?:\/\/\S+$/, "must be a mongodb:// URI"),
    "mandatory",
  ),
  DATA_DIR: variable(
    "folder of the embedded database, emulated media and development secrets",
    z.string().min(1),
    "optional",
    "./.data",
  ),
  DEMO_DATA: variable(
    "development: `off` starts an empty database without the demo data",
    z.enum(["on", "off"]),
    "optional",
    "on",
  ),
  REDIS_URL: variable(
    "shared rate-limit counters; unset: counters per process",
    z
      .string()
      .regex(/^rediss?:\/\/\S+$/, "must be a redis:// URL")
      .refine((value) => URL.canParse(value), "must be a redis:// URL"),
  ),
  TRUST_PROXY_HOPS: variable(
    "trusted proxies in front of the server, for the client address",
    number(32),
    "optional",
    "0",
  ),
  RATE_LIMITS: variable(
    "`relaxed` multiplies the rate limits by ten, for development and tests; refused in production",
    z.enum(["real", "relaxed"]),
    "optional",
    "real",
  ),
  REVISION: variable("revision of the sources, shown beside the version; the image sets it", z.string().max(100)),
  LOG_LEVEL: variable(
    "log verbosity: fatal, error, warn, info, debug, trace or silent",
    z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]),
    "optional",
    "info",
  ),
  CURRENCY: variable(
    "ISO 4217 currency of prices and orders",
    z.string().regex(/^[A-Z]{3}$/, "must be three capital letters"),
    "optional",
    "INR",
  ),
  INVOICE_PREFIX: variable(
    "first part of invoice numbers; credit notes have it followed by CN",
    z.string().regex(/^[A-Za-z0-9]{1,12}$/, "must be 1 to 12 letters and digits"),
    "optional",
    "INV",
  ),
  INVOICE_YEAR_START_MONTH: variable(
    "month in which the financial year of invoice numbers begins, 1 to 12",
    number(12, 1),
    "optional",
    "4",
  ),
  SELLER_NAME: variable("seller on invoices; unset: the platform's name", z.string().max(200)),
  SELLER_ADDRESS: variable(
    "address of the seller on invoices; lines separated by \\n",
    z
      .string()
      .max(1_000)
      .transform((text) => text.replaceAll("\\n", "\n")),
  ),
  SELLER_TAX_ID: variable("tax number of the seller on invoices", z.string().max(100)),
  TAX_NAME: variable("name of the tax that prices include, for example GST", z.string().max(40)),
  TAX_PERCENT: variable(
    "percent of the tax that prices include; unset: invoices name no tax",
    z
      .string()
      .regex(/^\d{1,2}(\.\d{1,4})?$/, "must be a number from 0 to 99.9999")
      .transform(Number),
  ),
  PLATFORM_NAME: variable(
    "what the platform calls itself: certificates, verification page, AI prompts, API reference",
    z.string().max(40, "must have at most 40 characters"),
    "optional",
    "Lyceum",
  ),
  PLATFORM_LOGO: variable(
    "its mark on certificates: SVG path data in a square of 32 units, or an .svg file of paths in a square; unset: a portico",
    z.string().transform((given, context) => {
      const logo = readLogo(given);
      if (!logo) context.addIssue("must be SVG path data, or a readable .svg file of paths with a square viewBox");
      return logo ?? z.NEVER;
    }),
  ),
  PLATFORM_COLOR: variable(
    "its colour on certificates, `#rrggbb`, readable on white",
    z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, "must be #rrggbb")
      .refine((color) => contrastWithWhite(color) >= 4.5, "must be darker: text of this colour stands on white"),
    "optional",
    "#0f766e",
  ),
  METRICS_TOKEN: variable(
    "protects /metrics as a bearer token; unset: open, in production closed unless METRICS says otherwise",
    secret,
  ),
  METRICS: variable("`open` serves /metrics in production without a token", z.enum(["open"])),
  EVENT_RETENTION_DAYS: variable(
    "days for which events are listed, and longer than a delivery is repeated; a change applies to later events",
    number(3_650, 4),
    "optional",
    "30",
  ),
  ERASE_DELETED_ACCOUNTS: variable(
    "`on`: an account's deletion at the identity provider erases the user's data, not the profile alone",
    z.enum(["on", "off"]),
    "optional",
    "off",
  ),
  CLERK_PUBLISHABLE_KEY: variable(
    "identity provider: publishable key",
    z
      .string()
      .refine((key) => frontendApiOf(key) !== undefined, "must be pk_test_… or pk_live_…, base64 of a host and `$`"),
    "mandatory",
  ),
  CLERK_SECRET_KEY: variable("identity provider: secret key", secret, "mandatory"),
  CLERK_JWT_KEY: variable(
    "PEM public key: tokens are verified without a network call; unset: the key set is fetched",
    z
      .string()
      .transform((pem) => pem.replaceAll("\\n", "\n").trim())
      .refine(isRsaPublicKey, "must be a PEM public key (RSA, 2048 bits)"),
  ),
  CLERK_API_URL: variable("identity API override, scheme and host only", url),
  CLERK_WEBHOOK_SECRET: variable(
    "identity webhook signing secret, `whsec_…`; several separated by commas during rotation",
    list(/^whsec_(?=.)([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, "whsec_… secrets in base64"),
    "mandatory",
  ),
  RAZORPAY_KEY_ID: variable("payment provider: key id", secret, "mandatory"),
  RAZORPAY_KEY_SECRET: variable("payment provider: key secret", secret, "mandatory"),
  RAZORPAY_WEBHOOK_SECRET: variable(
    "payment webhook secret; several of at least 16 characters, separated by commas, during rotation",
    // The provider takes any text for a secret, one with commas too.
    list(/^.+$/, "a secret"),
    "mandatory",
  ),
  RAZORPAY_API_URL: variable("payment API override, scheme and host only", url),
  CLOUDINARY_URL: variable(
    "media storage: `cloudinary://key:secret@cloud`, `?upload_prefix=` override allowed",
    z
      .string()
      .regex(/^cloudinary:\/\/[^:@/\s]+:[^@/\s]+@[^/?\s]+(\?\S*)?$/, "must be cloudinary://key:secret@cloud")
      .refine(isCloudinaryUrl, "must be percent-encoded, and upload_prefix an http(s) URL"),
    "mandatory",
  ),
  OPENAI_API_KEY: variable("AI provider (chat-completions protocol): key", secret, "mandatory"),
  OPENAI_BASE_URL: variable("AI provider: address, e.g. https://api.openai.com/v1", url),
  OPENAI_MODEL: variable("AI provider: model", z.string().min(1), "optional", "gpt-4o-mini"),
  OPENAI_TIMEOUT_MS: variable(
    "AI provider: longest time for one attempt at a call in milliseconds, at most 60000",
    number(60_000, 1),
    "optional",
    "60000",
  ),
  OPENAI_ADVICE_TIMEOUT_MS: variable(
    "AI provider: longest wait for advice after a quiz in milliseconds; then the plain advice is kept",
    number(60_000, 1),
    "optional",
    "10000",
  ),
} as const satisfies Record<string, Variable>;

/** The text of `.env.example`: every variable with its meaning and default. A test fails when the file is stale. */
export function envExample(): string {
  const lines = [
    "# Every variable of the server. In development a provider whose variables are unset is emulated.",
    "# Generated from src/env.ts by `npm run docs`.",
  ];
  for (const [name, { about, when, fallback = "" }] of Object.entries<Variable>(variables)) {
    lines.push("", `# ${about}${when === "optional" ? "" : " (mandatory in production)"}`, `# ${name}=${fallback}`);
  }
  return `${lines.join("\n")}\n`;
}
