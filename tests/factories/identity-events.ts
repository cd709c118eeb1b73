import { randomUUID } from "node:crypto";
import { identityOf } from "../server/emulators.js";
import type { SignedIn, TestServer } from "../server/test-server.js";

/** Builds a user in the format of the identity provider's events. */
export function userData(id: string, email: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ id, first_name: "Asha", last_name: "Rao", image_url: "", public_metadata: {}, updated_at: Date.now() },
    primary_email_address_id: "idn_1",
    email_addresses: [{ id: "idn_1", email_address: email, verification: { status: "verified" } }],
    ...fields,
  };
}

/** The addresses of a user whose first one is unverified, and whose primary one is verified. */
export const unverifiedFirst = (first: string, primary: string) => ({
  email_addresses: [
    { id: "idn_0", email_address: first, verification: { status: "unverified" } },
    { id: "idn_1", email_address: primary, verification: { status: "verified" } },
  ],
});

/** Posts an event as the identity provider does. @returns the status of the reply. */
export async function deliverIdentity(
  server: TestServer,
  data: Record<string, unknown>,
  type = "user.created",
): Promise<number> {
  const body = JSON.stringify({ type, data });
  const headers = { "content-type": "application/json", ...identityOf(server.emulators).signWebhook(body) };
  return (await server.call("POST", "/clerk", { body, headers })).status;
}

/** Signs up a user with a verified e-mail address. */
export async function signUp(server: TestServer, email: string): Promise<SignedIn> {
  const id = `user_${randomUUID().replaceAll("-", "")}`;
  const status = await deliverIdentity(server, userData(id, email));
  if (status !== 200) throw new Error(`the event was answered with ${status}`);
  return { id, name: "Asha Rao", token: identityOf(server.emulators).issueToken(id, { role: "student" }) };
}
