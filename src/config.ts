import { isVariable, type Setting, settings, variables } from "./env.js";
import { frontendApiOf, type Variable } from "./env-values.js";
import { isLoopbackHost } from "./lib/public-address.js";

type Environment = Record<string, string | undefined>;

/** Names all missing and malformed variables, without their values. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is incomplete or malformed:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "ConfigError";
  }
}

/** The values of a group of variables. */
type Values<Group> = {
  readonly [Field in keyof Group]: Group[Field] extends Variable<infer Value> ? Value : Values<Group[Field]>;
};

/** Letter case and padding do not count. `parseConfig` refuses unknown values. */
export const isProduction = ({ NODE_ENV }: Environment): boolean => NODE_ENV?.trim().toLowerCase() === "production";

/** Parses the variables by name. @param complete false allows that mandatory variables are missing. */
function parseVariables(env: Environment, complete = true): Map<string, unknown> {
  const problems: string[] = [];
  const values = new Map<string, unknown>();
  const production = isProduction(env);
  for (const { name, schema, when, fallback, about } of Object.values(variables)) {
    const given = env[name]?.trim() || undefined;
    const mandatory = when === "mandatory" || (when === "mandatory in production" && production);
    if (given === undefined && mandatory) {
      if (complete) problems.push(`${name} is missing (${about})`);
      continue;
    }
    const text = given ?? fallback;
    if (text === undefined) continue;
    const parsed = schema.safeParse(text);
    if (parsed.success) values.set(name, parsed.data);
    else problems.push(`${name} is malformed: ${parsed.error.issues[0]?.message ?? about}`);
  }
  if (production && values.get("RATE_LIMITS") === true) {
    problems.push("RATE_LIMITS must not be relaxed in production: unset it");
  }
  if (complete && values.has("SMTP_URL") && !env.MAIL_FROM?.trim()) {
    problems.push("MAIL_FROM is missing (sender of mails, mandatory with SMTP_URL)");
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return values;
}

function group<Group extends Record<string, Setting>>(
  given: Group,
  values: ReadonlyMap<string, unknown>,
): Values<Group> {
  const fields = Object.entries(given).map(([field, setting]) => [
    field,
    isVariable(setting) ? values.get(setting.name) : group(setting, values),
  ]);
  return Object.fromEntries(fields) as Values<Group>;
}

/**
 * Checks the variables that are set, before development adds those of the emulators.
 * @throws ConfigError that names the malformed variables.
 */
export function checkGivenValues(env: Environment): void {
  parseVariables(env, false);
}

/** The folder of the embedded database, emulated media and development secrets. */
export function dataFolder(env: Environment): string {
  const { schema, fallback } = settings.dataDir;
  return schema.parse(env.DATA_DIR?.trim() || fallback);
}

/** The configuration from the environment, parsed once. */
export type Config = ReturnType<typeof parseConfig>;

/** Seller, tax and numbering of invoices. */
export type InvoiceSettings = Config["invoices"];

/** @throws ConfigError that names the missing and malformed variables. */
export function parseConfig(env: Environment) {
  const { environment, metrics, mail, ...values } = group(settings, parseVariables(env));
  const { invoices, platform, identity } = values;
  const { seller, tax } = invoices;
  const production = environment === "production";
  return {
    ...values,
    production,
    frontendOrigin: new URL(values.frontendUrl).origin,
    /** The mail server; null: no mail is sent. */
    mail:
      mail.url && mail.from
        ? {
            url: mail.url,
            from: { name: mail.from.name || platform.name, address: mail.from.address },
            /** In production no password and no mail goes over a network without TLS. */
            requireTls: production && !isLoopbackHost(new URL(mail.url).hostname),
          }
        : null,
    /** Whether `/metrics` is served without a token. */
    metricsOpen: !production || metrics === "open",
    invoices: {
      ...invoices,
      timeZone: invoices.timeZone ?? (values.currency === "INR" ? "Asia/Kolkata" : "UTC"),
      seller: { ...seller, name: seller.name ?? platform.name },
      /** The tax that prices include; null for none. */
      tax: tax.percent ? { name: tax.name ?? "tax", percent: tax.percent } : null,
    },
    identity: {
      ...identity,
      /** Address of the frontend API that the publishable key names: `iss` of its session tokens. */
      issuer: `https://${frontendApiOf(identity.publishableKey)}`,
    },
  } as const;
}

/** Lists the secrets in every form in which they are sent, because no log may show them. */
export function secretsOf({ identity, payments, ai, mail, metricsToken, ...others }: Config): string[] {
  const { keyId, keySecret } = payments;
  const mailPassword = passwordIn(mail?.url);
  const secrets = [
    identity.secretKey,
    ...identity.webhookSecrets,
    keySecret,
    Buffer.from(`${keyId}:${keySecret}`).toString("base64"),
    ...payments.webhookSecrets,
    ai.apiKey,
    metricsToken,
    mailPassword,
    mailPassword && decodeURIComponent(mailPassword),
    ...[others.cloudinaryUrl, others.mongodbUri, others.redisUrl].map(passwordIn),
    others.credentialKeys?.signing.export({ type: "pkcs8", format: "der" }).toString("base64"),
  ];
  return secrets.filter((secret) => secret !== undefined);
}

/** Finds the password of an address, between the first colon of its authority and the last @. */
const passwordIn = (address: string | undefined): string | undefined =>
  /^[\w+]+:\/\/[^/?:@]*:([^/?]+)@/.exec(address ?? "")?.[1];
