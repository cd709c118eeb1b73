import { type ClerkClient, createClerkClient } from "@clerk/express";
import pTimeout from "p-timeout";
import type { Config } from "../config.js";
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

type Account = Pick<Config["identity"], "publishableKey" | "secretKey" | "apiUrl">;

/** Creates the provider's client, for the verification of tokens and for calls. It sends no telemetry. */
export function createClerk(config: Account): ClerkClient {
  const { publishableKey, secretKey, apiUrl = "https://api.clerk.com" } = config;
  return createClerkClient({ publishableKey, secretKey, apiUrl, telemetry: { disabled: true } });
}

const setRoleTimeoutMs = 10_000;

export function createIdentity(clerk: ClerkClient, timeoutMs = setRoleTimeoutMs): Identity {
  return {
    async setRole(userId, role) {
      const writing = clerk.users.updateUserMetadata(userId, { publicMetadata: { role } });
      const user = await pTimeout(writing, { milliseconds: timeoutMs }).catch((error: unknown) => {
        throw new Error(`the identity provider ${failureOf(error)}`);
      });
      if (user.publicMetadata?.role !== role) {
        throw new Error("the identity provider answered with another public_metadata.role");
      }
      return new Date(user.updatedAt ?? Date.now());
    },
  };
}

/** Describes a failed call without the client's message, which may repeat personal data of the user. */
function failureOf(error: unknown): string {
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  return typeof status === "number" ? `answered ${status}` : "did not answer in time";
}
