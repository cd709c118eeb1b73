import type { Plugin } from "vite";

/** What a variable of the application can hold. */
export type Fact =
  | "api"
  | "clerkApi"
  | "clerkPublishableKey"
  | "razorpayApi"
  | "checkoutScript"
  | "razorpayKeyId"
  | "console";

export interface Options {
  /** Data folder of the development server, relative to Vite's root. The default is `DATA_DIR`, or else `.data`. */
  dataDir?: string | undefined;
  /** Addresses to use instead of those in the data folder. */
  addresses?: { api?: string | undefined; clerk?: string | undefined; razorpay?: string | undefined } | undefined;
  /**
   * Variables to set on `import.meta.env`, and what each holds. They are added to `VITE_API_URL` and `VITE_BACKEND_URL`
   * (`"api"`), `VITE_CLERK_PUBLISHABLE_KEY`, `VITE_CLERK_API_URL`, `VITE_RAZORPAY_KEY_ID` and `VITE_CONSOLE_URL`.
   */
  env?: Record<string, Fact> | undefined;
  /** True to use the emulators in a build too. The default leaves builds as they are. */
  build?: boolean | undefined;
}

/**
 * Lets an application run against the emulators without changes. It replaces `@clerk/react` or `@clerk/clerk-react`,
 * and the address of Razorpay's checkout script, and it sets variables.
 */
export function providerEmulators(options?: Options): Plugin;
