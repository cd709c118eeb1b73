import { join } from "node:path";
import { type AiEmulator, startAi } from "./ai.js";
import type { IdentityEmulator } from "./identity/identity-emulator.js";
import { identityHost, startIdentity } from "./identity.js";
import type { LocalPorts } from "./local-server.js";
import type { PaymentsEmulator } from "./payments/payments-emulator.js";
import { startPayments } from "./payments.js";
import type { Secrets } from "./secrets.js";
import { type StorageEmulator, startStorage } from "./storage.js";
import type { Variables } from "./variables.js";

/** The common options of every emulator. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  variables: Variables;
  secrets: Secrets;
  ports: LocalPorts;
  wanted: Partial<Record<"identity" | "payments" | "storage" | "ai" | "database", number>>;
  dataDir: string;
  /** Folder of the emulators' state. */
  folder: string;
  /** Origin of the browser application. */
  frontend: string;
  retryScale: number;
  /** Webhook routes of the application. */
  webhookPaths: { identity: string; payments: string };
}

/** Starts a database with its data in `dataDir`. Port 0 means a free one. The table shows `kind`. */
export type StartDatabase = (
  env: NodeJS.ProcessEnv,
  options: { dataDir: string; port: number },
) => Promise<{ uri: string; kind: string; close(): Promise<void> }>;

/** A running emulator, or the address of the real provider. */
export type Choice<Emulator> = { emulator: Emulator } | { real: string };

const cloud = "lyceum";

/** The database is real when its address is set. */
export async function chooseDatabase(
  given: Surroundings,
  start: StartDatabase,
): Promise<Choice<{ url: string; close(): Promise<void> }>> {
  const { env, variables, wanted, dataDir } = given;
  const address = variables.get("MONGODB_URI");
  if (address !== undefined) return { real: withoutCredentials(address) };
  const folder = join(dataDir, "database");
  const { uri, kind, close } = await start(env, { dataDir: folder, port: wanted.database ?? 0 });
  variables.fill("MONGODB_URI", uri);
  return { emulator: { url: `${withoutCredentials(uri)} (${kind})`, close } };
}

/** Identity is real when all its variables are set, or when an address is set. Missing secrets are filled in. */
export async function chooseIdentity(given: Surroundings): Promise<Choice<IdentityEmulator>> {
  const { variables, secrets, ports, wanted, folder, frontend, retryScale } = given;
  const address = variables.get("CLERK_API_URL");
  if (variables.haveAll("CLERK_PUBLISHABLE_KEY", "CLERK_SECRET_KEY", "CLERK_WEBHOOK_SECRET")) {
    return { real: address ?? "https://api.clerk.com" };
  }
  const publishable = variables.fill(
    "CLERK_PUBLISHABLE_KEY",
    `pk_test_${Buffer.from(`${identityHost}$`).toString("base64")}`,
  );
  const host = Buffer.from(publishable.replace(/^pk_(test|live)_/, ""), "base64")
    .toString()
    .replace(/\$$/, "");
  variables.fill("CLERK_TELEMETRY_DISABLED", "1");
  const secretKey = variables.fill("CLERK_SECRET_KEY", secrets.identity.secretKey);
  const webhookSecret = variables.fillSecret("CLERK_WEBHOOK_SECRET", secrets.identity.webhookSecret);
  if (address !== undefined) return { real: address };
  variables.fill("CLERK_JWT_KEY", secrets.identity.publicKey);
  const server = await ports.listen("identity", wanted.identity);
  variables.fill("CLERK_API_URL", server.url);
  const keys = secrets.identity;
  const webhookPath = given.webhookPaths.identity;
  const signing = { keys, host, secretKey, webhookSecret };
  return { emulator: await startIdentity({ server, folder, ...signing, frontend, retryScale, webhookPath }) };
}

/** Payments are real when all their variables are set, or when an address is set. Missing secrets are filled in. */
export async function choosePayments(given: Surroundings): Promise<Choice<PaymentsEmulator>> {
  const { variables, secrets, ports, wanted, folder, frontend, retryScale } = given;
  const address = variables.get("RAZORPAY_API_URL");
  if (variables.haveAll("RAZORPAY_KEY_ID", "RAZORPAY_KEY_SECRET", "RAZORPAY_WEBHOOK_SECRET")) {
    return { real: address ?? "https://api.razorpay.com" };
  }
  const keyId = variables.fill("RAZORPAY_KEY_ID", secrets.payments.keyId);
  const keySecret = variables.fill("RAZORPAY_KEY_SECRET", secrets.payments.keySecret);
  const webhookSecret = variables.fillSecret("RAZORPAY_WEBHOOK_SECRET", secrets.payments.webhookSecret);
  if (address !== undefined) return { real: address };
  const server = await ports.listen("payments", wanted.payments);
  variables.fill("RAZORPAY_API_URL", server.url);
  const webhookPath = given.webhookPaths.payments;
  const signing = { keyId, keySecret, webhookSecret };
  return { emulator: await startPayments({ server, folder, ...signing, frontend, retryScale, webhookPath }) };
}

/** Media storage is real when its address is set, which holds key and secret. */
export async function chooseStorage(given: Surroundings): Promise<Choice<StorageEmulator>> {
  const { variables, secrets, ports, wanted, dataDir, folder, frontend } = given;
  const address = variables.get("CLOUDINARY_URL");
  if (address !== undefined) return { real: withoutCredentials(address) };
  const { key, secret } = secrets.storage;
  const server = await ports.listen("storage", wanted.storage);
  const prefix = encodeURIComponent(server.url);
  variables.fill("CLOUDINARY_URL", `cloudinary://${key}:${secret}@${cloud}?upload_prefix=${prefix}`);
  const mediaFolder = join(dataDir, "media");
  return { emulator: await startStorage({ server, folder, mediaFolder, cloud, key, secret, frontend }) };
}

/** AI is real when its key is set, or when an address is set. A missing key is filled in. */
export async function chooseAi(given: Surroundings): Promise<Choice<AiEmulator>> {
  const { variables, secrets, ports, wanted, frontend } = given;
  const address = variables.get("OPENAI_BASE_URL");
  if (variables.haveAll("OPENAI_API_KEY")) return { real: address ?? "https://api.openai.com/v1" };
  const key = variables.fill("OPENAI_API_KEY", secrets.ai.key);
  if (address !== undefined) return { real: address };
  const server = await ports.listen("ai", wanted.ai);
  variables.fill("OPENAI_BASE_URL", `${server.url}/v1`);
  return {
    emulator: await startAi({ server, key, models: [variables.get("OPENAI_MODEL") ?? "gpt-4o-mini"], frontend }),
  };
}

function withoutCredentials(address: string): string {
  return address.replace(/^([^/]*\/\/).*@/, "$1").replace(/\?.*/, "");
}
