/** @import { ReactNode } from "react" @import { Redirects } from "./clerk-object.js" */
import { Children, cloneElement, createElement, Fragment, isValidElement, useEffect, useRef } from "react";
import { useAuth, useClerk, useUser } from "./react-hooks.js";

/** @typedef {{ children?: ReactNode }} Children */

/** @param {boolean | undefined} condition @param {ReactNode} children @param {ReactNode} [otherwise] */
const when = (condition, children, otherwise) => createElement(Fragment, null, condition ? children : otherwise);

/** @param {Children} props */
export const SignedIn = ({ children }) => when(useAuth().isSignedIn, children);

/** @param {Children} props */
export const SignedOut = ({ children }) => when(useAuth().isSignedIn === false, children);

/** @param {Children} props */
export const ClerkLoaded = ({ children }) => when(useClerk().loaded, children);

/** @param {Children} props */
export const ClerkLoading = ({ children }) => when(!useClerk().loaded, children);

/** Shows nothing: the session of the emulator is either complete or fails with an error. */
export const ClerkDegraded = () => null;
export const ClerkFailed = () => null;

/**
 * Shows the children to signed-in users. Roles, permissions and plans belong to organizations, which nobody has here.
 * @param {Children & { fallback?: ReactNode, condition?: (has: () => boolean) => boolean, role?: string,
 *   permission?: string, feature?: string, plan?: string }} props
 */
export function Protect({ children, fallback, condition, role, permission, feature, plan }) {
  const { isLoaded, isSignedIn, has } = useAuth();
  const isAllowed = isSignedIn && !(role ?? permission ?? feature ?? plan) && (condition?.(has) ?? true);
  return isLoaded ? when(isAllowed, children, fallback) : null;
}

/** @param {Children & { mode?: "modal" | "redirect" } & Redirects} props */
export function SignInButton({ children = "Sign in", mode, ...redirects }) {
  const { openSignIn, redirectToSignIn } = useClerk();
  return trigger(children, () => (mode === "modal" ? openSignIn : redirectToSignIn)(redirects));
}

/** @param {Children & { mode?: "modal" | "redirect" } & Redirects} props */
export function SignUpButton({ children = "Sign up", mode, ...redirects }) {
  const { openSignUp, redirectToSignUp } = useClerk();
  return trigger(children, () => (mode === "modal" ? openSignUp : redirectToSignUp)(redirects));
}

/** @param {Children & { redirectUrl?: string }} props */
export function SignOutButton({ children = "Sign out", redirectUrl }) {
  const { signOut } = useClerk();
  return trigger(children, () => signOut({ redirectUrl }));
}

/**
 * Makes a button of a text. An element keeps its own listener.
 * @param {ReactNode} children
 * @param {() => unknown} run
 */
function trigger(children, run) {
  if (!isValidElement(children)) return createElement("button", { type: "button", onClick: run }, children);
  const child = /** @type {import("react").ReactElement<{ onClick?: (event: unknown) => unknown }>} */ (children);
  /** @param {unknown} event */
  const onClick = async (event) => {
    await child.props.onClick?.(event);
    run();
  };
  return cloneElement(child, { onClick });
}

/** @param {Redirects} props */
export function RedirectToSignIn(props) {
  const { loaded, redirectToSignIn } = useClerk();
  useEffect(() => void (loaded && redirectToSignIn(props)), [loaded]);
  return null;
}

/** @param {Redirects} props */
export function RedirectToSignUp(props) {
  const { loaded, redirectToSignUp } = useClerk();
  useEffect(() => void (loaded && redirectToSignUp(props)), [loaded]);
  return null;
}

/**
 * Renders an element that a function without React fills.
 * @param {string} className
 * @param {(node: HTMLElement) => void} mount
 * @param {unknown[]} dependencies
 */
function useMounted(className, mount, dependencies) {
  const host = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => void (host.current && mount(host.current)), dependencies);
  return createElement("div", { ref: host, className });
}

/** @param {Redirects} props */
export function SignIn(props) {
  const { mountSignIn } = useClerk();
  return useMounted("cl-signIn-root", (node) => mountSignIn(node, props), []);
}
export { SignIn as SignUp };

export function UserProfile() {
  const { mountUserProfile } = useClerk();
  const { user } = useUser();
  return useMounted("cl-userProfile-root", mountUserProfile, [user]);
}
UserProfile.Page = nothing;
UserProfile.Link = nothing;

export function UserAvatar() {
  const { user } = useUser();
  return user
    ? createElement("img", { className: "cl-userAvatar", src: user.imageUrl, alt: user.fullName ?? "" })
    : null;
}

/**
 * Shows the signed-in user with a menu. Of the children, actions and links of `UserButton.MenuItems` have an effect.
 * @param {Children & { showName?: boolean }} props
 */
export function UserButton({ children, showName }) {
  const { mountUserButton } = useClerk();
  const { user } = useUser();
  const items = menuItems(children);
  const latest = useRef(items);
  latest.current = items;
  /** @param {HTMLElement} node */
  const mount = (node) => {
    const stable = items.map((item, at) => ({ ...item, onClick: () => latest.current[at]?.onClick?.() }));
    mountUserButton(node, { showName, items: stable });
  };
  return useMounted("cl-userButton", mount, [user, showName, items.map(({ label }) => label).join()]);
}
UserButton.MenuItems = nothing;
UserButton.Action = nothing;
UserButton.Link = nothing;
UserButton.UserProfilePage = nothing;
UserButton.UserProfileLink = nothing;

/** Renders nothing, because the element around it reads the properties. */
function nothing() {
  return null;
}

/** @param {ReactNode} children @returns {{ label: string, href?: string, onClick?: () => void }[]} */
function menuItems(children) {
  const elements = /** @type {import("react").ReactElement<any>[]} */ (
    Children.toArray(children).filter(isValidElement)
  );
  return elements
    .filter(({ type }) => type === UserButton.MenuItems)
    .flatMap(({ props }) => /** @type {import("react").ReactElement<any>[]} */ (Children.toArray(props.children)))
    .map(({ props }) => props)
    .filter(({ label, href, onClick }) => label && (href || onClick));
}

/** The emulator shows no prompt of another service. */
export const GoogleOneTap = () => null;
