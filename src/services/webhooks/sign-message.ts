import { randomBytes } from "node:crypto";
import type { Webhook } from "../../models/events/webhook.js";

/** Standard Webhooks asks for 24 to 64 bytes. */
const secretBytes = 32;

/** How long a replaced secret goes on signing. */
export const oldSecretsSignMs = 24 * 60 * 60_000;

export const createSecret = (): string => `whsec_${randomBytes(secretBytes).toString("base64")}`;

/** Signs a message by Standard Webhooks 1.0, with the secret and with every replaced secret that still signs. */
export async function signMessage(
  { secret, oldSecrets }: Pick<Webhook, "secret" | "oldSecrets">,
  { id, body, at }: { id: string; body: string; at: Date },
): Promise<Record<string, string>> {
  const { Webhook: Signer } = await import("svix");
  const secrets = [secret, ...oldSecrets.filter(({ until }) => until > at).map((old) => old.secret)];
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": secrets.map((each) => new Signer(each).sign(id, at, body)).join(" "),
  };
}
