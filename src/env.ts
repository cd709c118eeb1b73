import { resolve } from "node:path";
import { z } from "zod";
import {
  baseUrl,
  cloudinaryUrl,
  frontendApiOf,
  hosts,
  isRsaPublicKey,
  isTimeZone,
  listOf,
  mandatory,
  numberUpTo,
  optional,
  pageUrl,
  secret,
  sender,
  smtpUrl,
  switchedOn,
  url,
  type Variable,
  withDefault,
} from "./env-values.js";
import { contrastWithWhite } from "./lib/contrast-with-white.js";
import { readLogo } from "./logo.js";
import { credentialKeys } from "./services/credentials/credential-keys.js";
import { frontendPaths } from "./services/notices/frontend-links.js";

/**
 * Every variable by its place in the configuration, in the order of `.env.example`. Variables of the providers are
 * mandatory for the server itself; `development/dev.ts` points the unset ones at emulators before the server reads them.
 */
export const settings = {
  port: withDefault("PORT", "listen port", numberUpTo(65_535), "3000"),
  environment: withDefault(
    "NODE_ENV",
    "`production` switches on the strict rules; the other values are development and test",
    z
      .string()
      .toLowerCase()
      .pipe(z.enum(["production", "development", "test"])),
    "development",
  ),
  embedHosts: withDefault(
    "EMBED_HOSTS",
    "hosts of pages that lectures may embed, separated by commas",
    hosts,
    "www.youtube.com,youtube.com,youtu.be,www.youtube-nocookie.com,player.vimeo.com,vimeo.com,www.dailymotion.com," +
      "geo.dailymotion.com,fast.wistia.net,www.loom.com",
  ),
  frontendUrl: withDefault(
    "FRONTEND_URL",
    "address of the frontend; its origin is the one allowed browser origin, its path stays before every link",
    pageUrl,
    "http://localhost:5173",
    "mandatory in production",
  ),
  frontendPaths: withDefault(
    "FRONTEND_LINKS",
    "JSON of paths of the frontend that notices and mails lead to, or null for no link; unnamed ones stay as usual",
    frontendPaths,
    "{}",
  ),
  backendUrl: withDefault(
    "BACKEND_URL",
    "public base of this API, target of certificate QR codes",
    baseUrl,
    "http://localhost:3000",
    "mandatory in production",
  ),
  mongodbUri: mandatory(
    "MONGODB_URI",
    "database: a replica set (one member will do) or a sharded cluster; unset in development: an embedded one",
    z.string().regex(/^mongodb(\+srv)?:\/\/\S+$/, "must be a mongodb:// URI"),
  ),
  dataDir: withDefault(
    "DATA_DIR",
    "folder of the embedded database, emulated media and development secrets",
    z.string().transform((folder) => resolve(folder)),
    "./.data",
  ),
  demoData: withDefault(
    "DEMO_DATA",
    "development: `off` starts an empty database without the demo data",
    z.enum(["on", "off"]).transform(switchedOn),
    "on",
  ),
  redisUrl: optional(
    "REDIS_URL",
    "shared rate-limit counters; unset: counters per process",
    z
      .string()
      .regex(/^rediss?:\/\/\S+$/, "must be a redis:// URL")
      .refine((value) => URL.canParse(value), "must be a redis:// URL"),
  ),
  trustProxyHops: withDefault(
    "TRUST_PROXY_HOPS",
    "trusted proxies in front of the server, for the client address",
    numberUpTo(32),
    "0",
  ),
  relaxedRateLimits: withDefault(
    "RATE_LIMITS",
    "`relaxed` multiplies the rate limits by ten, for development and tests; refused in production",
    z.enum(["real", "relaxed"]).transform((value) => value === "relaxed"),
    "real",
  ),
  revision: withDefault(
    "REVISION",
    "revision of the sources, shown beside the version; the image sets it",
    z.string().max(100),
    "",
  ),
  logLevel: withDefault(
    "LOG_LEVEL",
    "log verbosity: fatal, error, warn, info, debug, trace or silent",
    z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]),
    "info",
  ),
  currency: withDefault(
    "CURRENCY",
    "ISO 4217 currency of prices and orders",
    z.string().regex(/^[A-Z]{3}$/, "must be three capital letters"),
    "INR",
  ),
  invoices: {
    prefix: withDefault(
      "INVOICE_PREFIX",
      "first part of invoice numbers; credit notes have it followed by C",
      z.string().regex(/^[A-Z0-9]{1,3}$/, "must be 1 to 3 of A to Z and 0 to 9"),
      "INV",
    ),
    yearStartMonth: withDefault(
      "INVOICE_YEAR_START_MONTH",
      "month in which the financial year of invoice numbers begins, 1 to 12",
      numberUpTo(12, 1),
      "4",
    ),
    timeZone: optional(
      "INVOICE_TIME_ZONE",
      "IANA time zone of the dates and years of invoices; unset: Asia/Kolkata for INR, otherwise UTC",
      z.string().refine(isTimeZone, "must be an IANA time zone, such as Europe/Berlin"),
    ),
    seller: {
      name: optional("SELLER_NAME", "seller on invoices; unset: the platform's name", z.string().max(200)),
      address: withDefault(
        "SELLER_ADDRESS",
        "address of the seller on invoices; lines separated by \\n",
        z
          .string()
          .max(1_000)
          .transform((text) => text.replaceAll("\\n", "\n")),
        "",
      ),
      taxId: withDefault("SELLER_TAX_ID", "tax number of the seller on invoices", z.string().max(100), ""),
    },
    tax: {
      name: optional("TAX_NAME", "name of the tax that prices include, for example GST", z.string().max(40)),
      percent: optional(
        "TAX_PERCENT",
        "percent of the tax that prices include; unset: invoices name no tax",
        z
          .string()
          .regex(/^\d{1,2}(\.\d{1,4})?$/, "must be a number from 0 to 99.9999")
          .transform(Number),
      ),
    },
  },
  platform: {
    name: withDefault(
      "PLATFORM_NAME",
      "what the platform calls itself: certificates, verification page, AI prompts, API reference",
      z.string().max(40, "must have at most 40 characters"),
      "Lyceum",
    ),
    logo: optional(
      "PLATFORM_LOGO",
      "its mark on certificates: SVG path data in a square of 32 units, or an .svg file of paths in a square; unset: a portico",
      z.string().transform((given, context) => {
        const logo = readLogo(given);
        if (!logo) context.addIssue("must be SVG path data, or a readable .svg file of paths with a square viewBox");
        return logo ?? z.NEVER;
      }),
    ),
    color: withDefault(
      "PLATFORM_COLOR",
      "its colour on certificates, `#rrggbb`, readable on white",
      z
        .string()
        .regex(/^#[0-9a-f]{6}$/i, "must be #rrggbb")
        .refine((color) => contrastWithWhite(color) >= 4.5, "must be darker: text of this colour stands on white"),
      "#0f766e",
    ),
  },
  credentialKeys: optional(
    "CREDENTIAL_KEYS",
    "PEM blocks of Ed25519 keys; the first private one signs credentials; unset in production: no credentials",
    credentialKeys,
  ),
  metricsToken: optional(
    "METRICS_TOKEN",
    "protects /metrics as a bearer token; unset: open, in production closed unless METRICS says otherwise",
    secret,
  ),
  metrics: optional("METRICS", "`open` serves /metrics in production without a token", z.enum(["open"])),
  eventRetentionDays: withDefault(
    "EVENT_RETENTION_DAYS",
    "days for which events are listed, and longer than a delivery is repeated; a change applies to later events",
    numberUpTo(3_650, 4),
    "30",
  ),
  eraseDeletedAccounts: withDefault(
    "ERASE_DELETED_ACCOUNTS",
    "`on`: an account's deletion at the identity provider erases the user's data, not the profile alone",
    z.enum(["on", "off"]).transform(switchedOn),
    "off",
  ),
  identity: {
    publishableKey: mandatory(
      "CLERK_PUBLISHABLE_KEY",
      "identity provider: publishable key",
      z
        .string()
        .refine((key) => frontendApiOf(key) !== undefined, "must be pk_test_… or pk_live_…, base64 of a host and `$`"),
    ),
    secretKey: mandatory("CLERK_SECRET_KEY", "identity provider: secret key", secret),
    jwtKey: optional(
      "CLERK_JWT_KEY",
      "PEM public key: tokens are verified without a network call; unset: the key set is fetched",
      z
        .string()
        .transform((pem) => pem.replaceAll("\\n", "\n").trim())
        .refine(isRsaPublicKey, "must be a PEM public key (RSA, 2048 bits)"),
    ),
    apiUrl: optional("CLERK_API_URL", "identity API override, scheme and host only", baseUrl),
    webhookSecrets: mandatory(
      "CLERK_WEBHOOK_SECRET",
      "identity webhook signing secret, `whsec_…`; several separated by commas during rotation",
      listOf(/^whsec_(?=.)([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, "whsec_… secrets in base64"),
    ),
  },
  payments: {
    keyId: mandatory("RAZORPAY_KEY_ID", "payment provider: key id", secret),
    keySecret: mandatory("RAZORPAY_KEY_SECRET", "payment provider: key secret", secret),
    webhookSecrets: mandatory(
      "RAZORPAY_WEBHOOK_SECRET",
      "payment webhook secret; several of at least 16 characters, separated by commas, during rotation",
      // The provider accepts any text as a secret, also with commas.
      listOf(/^.+$/, "a secret"),
    ),
    apiUrl: optional("RAZORPAY_API_URL", "payment API override, scheme and host only", baseUrl),
  },
  cloudinaryUrl: mandatory(
    "CLOUDINARY_URL",
    "media storage: `cloudinary://key:secret@cloud`, `?upload_prefix=` override allowed",
    cloudinaryUrl,
  ),
  mail: {
    url: optional(
      "SMTP_URL",
      "mail server: `smtp(s)://user:pass@host:port`; unset in production: no mail is sent",
      smtpUrl,
    ),
    from: optional(
      "MAIL_FROM",
      "sender of mails, `address` or `Name <address>`; mandatory with SMTP_URL; the name is the platform's by default",
      sender,
    ),
  },
  ai: {
    apiKey: mandatory("OPENAI_API_KEY", "AI provider (chat-completions protocol): key", secret),
    baseUrl: optional("OPENAI_BASE_URL", "AI provider: address, e.g. https://api.openai.com/v1", url),
    model: withDefault("OPENAI_MODEL", "AI provider: model", z.string().min(1), "gpt-4o-mini"),
    timeoutMs: withDefault(
      "OPENAI_TIMEOUT_MS",
      "AI provider: longest time for one attempt at a call in milliseconds, at most 60000",
      numberUpTo(60_000, 1),
      "60000",
    ),
    adviceTimeoutMs: withDefault(
      "OPENAI_ADVICE_TIMEOUT_MS",
      "AI provider: longest wait for advice after a quiz in milliseconds; then the plain advice is kept",
      numberUpTo(60_000, 1),
      "10000",
    ),
  },
};

/** A variable, or a group of variables. */
export type Setting = Variable | { readonly [field: string]: Setting };

export const isVariable = (setting: Setting): setting is Variable => "schema" in setting;

const variablesIn = (setting: Setting): Variable[] =>
  isVariable(setting) ? [setting] : Object.values(setting).flatMap(variablesIn);

/** The variables by name. */
export const variables: Readonly<Record<string, Variable>> = Object.fromEntries(
  variablesIn(settings).map((variable) => [variable.name, variable]),
);
