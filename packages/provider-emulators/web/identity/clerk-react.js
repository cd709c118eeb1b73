/** Replaces `@clerk/clerk-react` in development. It has every export of the provider's package. */
export * from "./react-components.js";
export { ClerkProvider, useAuth, useClerk, useOrganization, useSession, useUser } from "./react-hooks.js";
export * from "./react-refused.js";
