import { createClerkClient } from "@clerk/express";
import type { Config } from "../config.js";
import type { Role } from "../http/route.js";

/** What the server asks of the identity provider. */
export interface Identity {
  /**
   * Writes the role into the person's public metadata, from where it reaches their tokens.
   * @throws when the provider refuses or takes over 10 s; repeating it is harmless.
   */
  setRole(userId: string, role: Role): Promise<void>;
}

const deadlineMs = 10_000;

export function createIdentity(config: Config["identity"]): Identity {
  const clerk = createClerkClient({
    publishableKey: config.publishableKey,
    secretKey: config.secretKey,
    telemetry: { disabled: true },
    ...(config.apiUrl ? { apiUrl: config.apiUrl } : {}),
  });
  return {
    async setRole(userId, role) {
      await withDeadline(clerk.users.updateUserMetadata(userId, { publicMetadata: { role } }), deadlineMs);
    },
  };
}

/** The SDK knows no time-out of its own. */
async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the identity provider did not answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
