import type { Config } from "../config.js";
import { traceHeaders } from "../http/pipeline/trace-context.js";
import type { Role } from "../http/route.js";

/** What the server asks of the identity provider. */
export interface Identity {
  /**
   * Writes the role into the user's public metadata, from which new tokens take it.
   * @throws when the provider refuses or takes over 10 s; repeating it is harmless.
   */
  setRole(userId: string, role: Role): Promise<void>;
}

const usual = { deadlineMs: 10_000 };

/**
 * Calls the Backend API directly: the SDK limits neither the time nor the size of a reply, cannot be cancelled, and its
 * errors repeat the provider's data of the user.
 */
export function createIdentity(
  { secretKey, apiUrl = "https://api.clerk.com" }: Pick<Config["identity"], "secretKey" | "apiUrl">,
  { deadlineMs } = usual,
): Identity {
  return {
    async setRole(userId, role) {
      const reply = await fetch(`${apiUrl}/v1/users/${encodeURIComponent(userId)}/metadata`, {
        method: "PATCH",
        headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json", ...traceHeaders() },
        body: JSON.stringify({ public_metadata: { role } }),
        signal: AbortSignal.timeout(deadlineMs),
      });
      // The body may hold data of the user: only the status is reported.
      await reply.body?.cancel();
      if (!reply.ok) throw new Error(`the identity provider answered ${reply.status}`);
    },
  };
}
