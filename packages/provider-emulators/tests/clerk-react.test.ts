import * as provider from "@clerk/react";
import { expect, test } from "vitest";

const load = (name: string) => import(new URL(`../web/identity/${name}.js`, import.meta.url).href);
const standIn: Record<string, (...args: unknown[]) => unknown> = await load("react");

test("the stand-in has every export of the provider's package", () => {
  expect(Object.keys(standIn)).toEqual(expect.arrayContaining(Object.keys(provider)));
});

/** Exports of `@clerk/clerk-react` 5.61, its last version. */
const exportsOfVersion5 = `
APIKeys AuthenticateWithRedirectCallback ClerkDegraded ClerkFailed ClerkLoaded ClerkLoading ClerkProvider
CreateOrganization GoogleOneTap OrganizationList OrganizationProfile OrganizationSwitcher PricingTable Protect
RedirectToCreateOrganization RedirectToOrganizationProfile RedirectToSignIn RedirectToSignUp RedirectToTasks
RedirectToUserProfile SignIn SignInButton SignInWithMetamaskButton SignOutButton SignUp SignUpButton SignedIn
SignedOut TaskChooseOrganization TaskResetPassword TaskSetupMFA UserAvatar UserButton UserProfile Waitlist
__experimental_CheckoutProvider __experimental_PaymentElement __experimental_PaymentElementProvider
__experimental_useCheckout __experimental_usePaymentElement useAuth useClerk useEmailLink useOrganization
useOrganizationCreationDefaults useOrganizationList useReverification useSession useSessionList useSignIn useSignUp
useUser
`;

test("the stand-in of version 5 has every export of it, and no other", async () => {
  expect(Object.keys(await load("clerk-react")).sort()).toEqual(exportsOfVersion5.trim().split(/\s+/).sort());
});

test.each([
  ["UserButton", provider.UserButton],
  ["UserProfile", provider.UserProfile],
])("%s has the provider's parts", (name, real) => {
  const parts = (component: object) => Object.keys(component).filter((part) => /^[A-Z][a-z]/.test(part));
  expect(parts(standIn[name] ?? {}).sort()).toEqual(parts(real).sort());
});

test("an export that the emulator does not have names itself when it is used", () => {
  expect(() => standIn.useSignIn?.()).toThrow(/has no useSignIn/);
  expect(() => standIn.OrganizationSwitcher?.({})).toThrow(/has no OrganizationSwitcher/);
});
