import type { OpenAiEmulator } from "./ai/openai-emulator.js";
import { startAi } from "./ai.js";
import { defaultRetryPausesMs } from "./deliveries/retry-pauses.js";
import type { ClerkEmulator } from "./identity/clerk-emulator.js";
import { identityHost, startIdentity } from "./identity.js";
import type { LocalPorts } from "./local-server.js";
import type { SmtpEmulator } from "./mail/smtp-emulator.js";
import { startMail } from "./mail.js";
import type { OpenAiOptions, PortOptions, SmtpOptions, WebhookOptions } from "./options.js";
import type { RazorpayEmulator } from "./payments/razorpay-emulator.js";
import { startPayments } from "./payments.js";
import type { Secrets } from "./secrets.js";
import type { CloudinaryEmulator } from "./storage/cloudinary-emulator.js";
import { startStorage } from "./storage.js";
import type { Variables } from "./variables.js";

/** What all emulators of one start share. */
export interface Context {
  variables: Variables;
  secrets: Secrets;
  ports: LocalPorts;
  /** Folder of the emulators' state, or undefined to keep it in memory. */
  folder: string | undefined;
  /** Folder of stored files, or undefined for a temporary folder. */
  mediaFolder: string | undefined;
  /** Origin of the browser application. */
  frontend: string;
}

/** A running emulator, or the address of the real provider. */
export type Choice<Emulator> = { emulator: Emulator } | { real: string };

const cloud = "lyceum";

/** Clerk is real when all its variables are set, or when an address is set. Missing secrets are filled in. */
export async function chooseClerk(
  { variables, secrets, ports, folder, frontend }: Context,
  { port, webhookPath = "/clerk", retryPausesMs = defaultRetryPausesMs.clerk }: WebhookOptions,
): Promise<Choice<ClerkEmulator>> {
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
  const keys = secrets.identity;
  const secretKey = variables.fill("CLERK_SECRET_KEY", keys.secretKey);
  const webhookSecret = variables.fillSecret("CLERK_WEBHOOK_SECRET", keys.webhookSecret);
  if (address !== undefined) return { real: address };
  variables.fill("CLERK_JWT_KEY", keys.publicKey);
  const server = await ports.listen("identity", port);
  variables.fill("CLERK_API_URL", server.url);
  const signing = { keys, host, secretKey, webhookSecret };
  return { emulator: await startIdentity({ server, folder, ...signing, frontend, retryPausesMs, webhookPath }) };
}

/** Razorpay is real when all its variables are set, or when an address is set. Missing secrets are filled in. */
export async function chooseRazorpay(
  { variables, secrets, ports, folder, frontend }: Context,
  { port, webhookPath = "/razorpay", retryPausesMs = defaultRetryPausesMs.razorpay }: WebhookOptions,
): Promise<Choice<RazorpayEmulator>> {
  const address = variables.get("RAZORPAY_API_URL");
  if (variables.haveAll("RAZORPAY_KEY_ID", "RAZORPAY_KEY_SECRET", "RAZORPAY_WEBHOOK_SECRET")) {
    return { real: address ?? "https://api.razorpay.com" };
  }
  const keyId = variables.fill("RAZORPAY_KEY_ID", secrets.payments.keyId);
  const keySecret = variables.fill("RAZORPAY_KEY_SECRET", secrets.payments.keySecret);
  const webhookSecret = variables.fillSecret("RAZORPAY_WEBHOOK_SECRET", secrets.payments.webhookSecret);
  if (address !== undefined) return { real: address };
  const server = await ports.listen("payments", port);
  variables.fill("RAZORPAY_API_URL", server.url);
  const signing = { keyId, keySecret, webhookSecret };
  return { emulator: await startPayments({ server, folder, ...signing, frontend, retryPausesMs, webhookPath }) };
}

/** Cloudinary is real when its address is set, which holds key and secret. */
export async function chooseCloudinary(
  { variables, secrets, ports, folder, mediaFolder, frontend }: Context,
  { port }: PortOptions,
): Promise<Choice<CloudinaryEmulator>> {
  const address = variables.get("CLOUDINARY_URL");
  if (address !== undefined) return { real: withoutCredentials(address) };
  const { key, secret } = secrets.storage;
  const server = await ports.listen("storage", port);
  const prefix = encodeURIComponent(server.url);
  variables.fill("CLOUDINARY_URL", `cloudinary://${key}:${secret}@${cloud}?upload_prefix=${prefix}`);
  return { emulator: await startStorage({ server, folder, mediaFolder, cloud, key, secret, frontend }) };
}

/** OpenAI is real when its key is set, or when an address is set. A missing key is filled in. */
export async function chooseOpenAi(
  { variables, secrets, ports, frontend }: Context,
  { port, answer = () => undefined }: OpenAiOptions,
): Promise<Choice<OpenAiEmulator>> {
  const address = variables.get("OPENAI_BASE_URL");
  if (variables.haveAll("OPENAI_API_KEY")) return { real: address ?? "https://api.openai.com/v1" };
  const key = variables.fill("OPENAI_API_KEY", secrets.ai.key);
  if (address !== undefined) return { real: address };
  const server = await ports.listen("ai", port);
  variables.fill("OPENAI_BASE_URL", `${server.url}/v1`);
  const models = [variables.get("OPENAI_MODEL") ?? "gpt-4o-mini"];
  return { emulator: await startAi({ server, key, models, frontend, answerPrompt: answer }) };
}

/** SMTP is real when its address is set. A missing sender is filled in. */
export async function chooseSmtp(
  { variables, ports, frontend }: Context,
  { port, smtpPort }: SmtpOptions,
): Promise<Choice<SmtpEmulator>> {
  const address = variables.get("SMTP_URL");
  if (address !== undefined) return { real: withoutCredentials(address) };
  const server = await ports.listen("mail", port);
  const emulator = await startMail({
    server,
    bindSmtp: (create) => ports.bind("smtp", smtpPort, create),
    frontend,
  });
  variables.fill("SMTP_URL", emulator.smtpUrl);
  variables.fill("MAIL_FROM", "no-reply@example.com");
  return { emulator };
}

function withoutCredentials(address: string): string {
  return address.replace(/^([^/]*\/\/).*@/, "$1").replace(/\?.*/, "");
}
