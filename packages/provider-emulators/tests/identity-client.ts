import { createClerkClient } from "@clerk/backend";
import type { Emulators } from "../src/index.js";

/** Creates the provider's SDK on the emulator. */
export function clerkFor({ env }: Emulators) {
  return createClerkClient({
    apiUrl: env.CLERK_API_URL ?? "",
    secretKey: env.CLERK_SECRET_KEY ?? "",
    publishableKey: env.CLERK_PUBLISHABLE_KEY ?? "",
    telemetry: { disabled: true },
  });
}
