/**
 * Replaces `@clerk/clerk-react` in development and uses the identity emulator. In vite.config:
 *
 *     resolve: { alias: { "@clerk/clerk-react": "@lyceum/provider-emulators/clerk-react" } }
 *
 * `VITE_CLERK_API_URL` is the address of an emulator on another port.
 */
import { createContext, createElement, Fragment, useContext, useEffect, useMemo, useSyncExternalStore } from "react";
import { Session } from "./session.js";
import { openSignIn } from "./sign-in.js";

/** @import { ReactNode } from "react" */

const SessionContext = createContext(/** @type {Session | null} */ (null));

/** @type {Record<string, string | undefined>} */
const variables = import.meta.env ?? {};

/** @param {{ children?: ReactNode, publishableKey?: string }} props the emulator ignores the key */
export function ClerkProvider({ children }) {
  const session = useMemo(() => new Session(variables.VITE_CLERK_API_URL ?? "http://127.0.0.1:3101"), []);
  useEffect(() => void session.load(), [session]);
  return createElement(SessionContext.Provider, { value: session }, children);
}

function useSession() {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useAuth, useUser and useClerk work within ClerkProvider only");
  const state = useSyncExternalStore(session.subscribe, () => session.state);
  return { session, ...state };
}

export function useAuth() {
  const { session, isLoaded, account } = useSession();
  return {
    isLoaded,
    isSignedIn: account !== null,
    userId: account?.id ?? null,
    sessionId: account ? `sess_${account.id}` : null,
    /** @param {{ skipCache?: boolean }} [options] */
    getToken: (options) => session.getToken(options),
    signOut: () => session.signOut(),
  };
}

export function useUser() {
  const { isLoaded, account } = useSession();
  return { isLoaded, isSignedIn: account !== null, user: account && userOf(account) };
}

export function useClerk() {
  const { session, isLoaded, account } = useSession();
  return {
    loaded: isLoaded,
    user: account && userOf(account),
    session: account && { getToken: session.getToken.bind(session) },
    openSignIn: () => openSignIn(session),
    signOut: () => session.signOut(),
  };
}

/** @param {{ children?: ReactNode }} props */
export function SignedIn({ children }) {
  const { account } = useSession();
  return account ? createElement(Fragment, null, children) : null;
}

/** @param {{ children?: ReactNode }} props */
export function SignedOut({ children }) {
  const { isLoaded, account } = useSession();
  return isLoaded && !account ? createElement(Fragment, null, children) : null;
}

/** @param {{ children?: ReactNode }} props */
export function SignInButton({ children = "Sign in" }) {
  const { openSignIn } = useClerk();
  return createElement("button", { type: "button", onClick: openSignIn }, children);
}

/** @param {{ children?: ReactNode }} props */
export function SignOutButton({ children = "Sign out" }) {
  const { signOut } = useClerk();
  return createElement("button", { type: "button", onClick: signOut }, children);
}

/** Shows the signed-in user with a menu to switch users and to sign out. */
export function UserButton() {
  const { user, openSignIn, signOut } = useClerk();
  if (!user) return null;
  const picture = user.imageUrl
    ? createElement("img", { src: user.imageUrl, alt: "", width: 28, height: 28, style: { borderRadius: "50%" } })
    : null;
  return createElement(
    "details",
    { className: "cl-userButton", key: user.id },
    createElement("summary", { "aria-label": `Account of ${user.fullName}` }, picture, ` ${user.fullName}`),
    createElement("button", { type: "button", onClick: openSignIn }, "Switch user"),
    createElement("button", { type: "button", onClick: signOut }, "Sign out"),
  );
}

/** Builds the provider's user object. @param {import("./session.js").Account} account */
function userOf({ email, ...account }) {
  const fullName = [account.firstName, account.lastName].filter(Boolean).join(" ");
  const address = email === null ? null : { emailAddress: email };
  return { ...account, fullName, primaryEmailAddress: address, emailAddresses: address ? [address] : [] };
}
