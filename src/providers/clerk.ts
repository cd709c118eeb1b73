import { z } from "zod";
import type { Config } from "../config.js";
import type { Role } from "../http/route.js";
import { type Bounds, boundedResponse } from "./bounds.js";

/** What the server asks of the identity provider. */
export interface Identity {
  /**
   * Writes the role into the user's public metadata, from which new tokens take it.
   * @returns when the provider wrote the role, by the provider's clock.
   * @throws when the provider refuses, takes over 10 s or answers with another role; repeating it is harmless.
   */
  setRole(userId: string, role: Role): Promise<Date>;
}

/** What is answered is the user, with all of their metadata. */
const usual: Bounds = { deadlineMs: 10_000, longestReply: 1024 * 1024 };

/** The part of the reply that says what was written. */
const Written = z.object({ public_metadata: z.object({ role: z.string() }), updated_at: z.number().optional() });

/**
 * Calls the Backend API directly: the SDK limits neither the time nor the size of a reply, cannot be cancelled, and its
 * errors repeat the provider's data of the user.
 */
export function createIdentity(
  { secretKey, apiUrl = "https://api.clerk.com" }: Pick<Config["identity"], "secretKey" | "apiUrl">,
  { deadlineMs, longestReply } = usual,
): Identity {
  return {
    async setRole(userId, role) {
      const reply = await fetch(`${apiUrl}/v1/users/${encodeURIComponent(userId)}/metadata`, {
        method: "PATCH",
        headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
        body: JSON.stringify({ public_metadata: { role } }),
        signal: AbortSignal.timeout(deadlineMs),
      });
      // The body may hold data of the user: only the status and names of fields are reported.
      if (!reply.ok) {
        await reply.body?.cancel();
        throw new Error(`the identity provider answered ${reply.status}`);
      }
      const written = readUser(await boundedResponse(reply, longestReply).text());
      if (written.public_metadata.role !== role) {
        throw new Error("the identity provider answered with another public_metadata.role");
      }
      return new Date(written.updated_at ?? Date.now());
    },
  };
}

function readUser(text: string): z.output<typeof Written> {
  const read = Written.safeParse(parseJson(text));
  if (read.success) return read.data;
  const fields = read.error.issues.map(({ path }) => path.join(".") || "object");
  throw new Error(`the identity provider answered without a readable ${fields.join(", ")}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
