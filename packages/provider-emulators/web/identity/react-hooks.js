/** @import { ReactNode } from "react" @import { ClerkOptions } from "./clerk-object.js" */
import { createContext, createElement, useContext, useEffect, useSyncExternalStore } from "react";
import { Clerk } from "./clerk-object.js";

const ClerkContext = createContext(/** @type {Clerk | null} */ (null));

/** @type {Record<string, string | undefined>} */
const variables = import.meta.env ?? {};
/** @type {Clerk | undefined} All providers of a page share it, as they share the session. */
let clerk;

/** @param {{ children?: ReactNode, publishableKey?: string } & ClerkOptions} props the emulator ignores the key */
export function ClerkProvider({ children, publishableKey: _, ...options }) {
  const value = currentClerk();
  useEffect(() => void value.load(options));
  return createElement(ClerkContext.Provider, { value }, children);
}

export function currentClerk() {
  clerk ??= new Clerk(variables.VITE_CLERK_API_URL ?? "http://127.0.0.1:3101");
  return clerk;
}

/** @template T @param {(clerk: Clerk) => T} read returns an identical value as long as nothing changed */
function useClerkValue(read) {
  const found = useContext(ClerkContext);
  if (!found) throw new Error("The hooks and components of Clerk work within ClerkProvider only");
  return { clerk: found, value: useSyncExternalStore(found.addListener, () => read(found)) };
}

/** Returns the same object in every render. A component renders again when the object has loaded. */
export const useClerk = () => useClerkValue(({ loaded }) => loaded).clerk;

export function useUser() {
  const { isLoaded, user } = useClerkValue(({ state }) => state).value;
  if (!isLoaded) return { isLoaded, isSignedIn: undefined, user: undefined };
  return { isLoaded, isSignedIn: user !== null, user };
}

export function useSession() {
  const { isLoaded, session } = useClerkValue(({ state }) => state).value;
  if (!isLoaded) return { isLoaded, isSignedIn: undefined, session: undefined };
  return { isLoaded, isSignedIn: session !== null, session };
}

export function useAuth() {
  const { clerk, value } = useClerkValue(({ state }) => state);
  const { isLoaded, user, session } = value;
  const none = isLoaded ? null : undefined;
  return {
    isLoaded,
    isSignedIn: isLoaded ? user !== null : undefined,
    userId: isLoaded ? (user?.id ?? null) : undefined,
    sessionId: isLoaded ? (session?.id ?? null) : undefined,
    sessionClaims: user ? { sub: user.id } : none,
    actor: none,
    orgId: none,
    orgRole: none,
    orgSlug: none,
    has: hasNothing,
    getToken: clerk.getToken,
    signOut: clerk.signOut,
  };
}

/** The emulator has no organizations, so that nobody has a role, a permission or a plan in one. */
const hasNothing = () => false;

/** The emulator has no organizations. */
export function useOrganization() {
  const { isLoaded } = useClerkValue(({ state }) => state).value;
  const none = isLoaded ? null : undefined;
  return { isLoaded, organization: none, membership: none, memberships: none, invitations: none, domains: none };
}
