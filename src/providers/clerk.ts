import { z } from "zod";
import type { Config } from "../config.js";
import { boundedResponse } from "../lib/bounded-response.js";
import { within } from "../lib/within.js";
import type { Role } from "../models/users/user.js";

/** The calls of the identity provider. */
export interface Identity {
  /**
   * Writes the role into the user's public metadata, which new tokens contain.
   * @returns the time of the write by the provider's clock.
   * @throws when the provider refuses, takes over 10 s or returns another role. The call may be repeated.
   */
  setRole(userId: string, role: Role): Promise<Date>;
}

type Account = Pick<Config["identity"], "secretKey" | "apiUrl">;

const setRoleTimeoutMs = 10_000;
/** The reply contains the whole user with all metadata. */
const maxReplyBytes = 1024 * 1024;

function throwLate(): never {
  throw new Error("the identity provider did not answer in time");
}

const WrittenUser = z.object({ public_metadata: z.object({ role: z.string() }), updated_at: z.number().optional() });

/** Creates the calls. They use `fetch`, because the provider's client can neither end a call nor bound its reply. */
export function createIdentity(
  { secretKey, apiUrl = "https://api.clerk.com" }: Account,
  timeoutMs = setRoleTimeoutMs,
): Identity {
  return {
    setRole: (userId, role) => within({ ms: timeoutMs, late: throwLate }, (signal) => write(userId, role, signal)),
  };

  async function write(userId: string, role: Role, signal: AbortSignal): Promise<Date> {
    const reply = await fetch(`${apiUrl}/v1/users/${encodeURIComponent(userId)}/metadata`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
      body: JSON.stringify({ public_metadata: { role } }),
      redirect: "error",
      signal,
    }).catch(throwLate);
    if (!reply.ok) {
      await reply.body?.cancel();
      throw new Error(`the identity provider answered ${reply.status}`);
    }
    // No error may repeat the body, which holds personal data of the user.
    const body = await boundedResponse(reply, maxReplyBytes)
      .json()
      .catch(() => undefined);
    const user = WrittenUser.safeParse(body).data;
    if (user?.public_metadata.role !== role) {
      throw new Error("the identity provider answered with another public_metadata.role");
    }
    return new Date(user.updated_at ?? Date.now());
  }
}
