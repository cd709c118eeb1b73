/** Replaces `@clerk/react` in development. It has every export of the provider's package, and those of version 5. */
/** @import { ReactNode } from "react" */
import { createElement, Fragment } from "react";
import { currentClerk, useAuth } from "./react-hooks.js";
import { refuse } from "./refuse.js";

export * from "./clerk-react.js";

/** Returns a token of the signed-in user, also outside of components. @param {{ skipCache?: boolean }} [options] */
export const getToken = (options) => currentClerk().getToken(options);

/**
 * Shows the children to those whom `when` names. Roles, permissions and plans belong to organizations, which nobody has
 * here.
 * @param {{ children?: ReactNode, fallback?: ReactNode,
 *   when: "signed-in" | "signed-out" | object | ((has: () => boolean) => boolean) }} props
 */
export function Show({ children, fallback, when }) {
  const { isLoaded, isSignedIn, has } = useAuth();
  if (!isLoaded) return null;
  const isShown =
    when === "signed-out" ? !isSignedIn : isSignedIn && (typeof when === "function" ? when(has) : when === "signed-in");
  return createElement(Fragment, null, isShown ? children : fallback);
}

export const HandleSSOCallback = refuse("HandleSSOCallback");
export const InviteMembersButton = refuse("InviteMembersButton");
export const OAuthConsent = refuse("OAuthConsent");
export const OAuthDeviceVerification = refuse("OAuthDeviceVerification");
export const UNSAFE_PortalProvider = refuse("UNSAFE_PortalProvider");
export const useAPIKeys = refuse("useAPIKeys");
export const useOAuthConsent = refuse("useOAuthConsent");
export const useOAuthDeviceVerification = refuse("useOAuthDeviceVerification");
export const useWaitlist = refuse("useWaitlist");
