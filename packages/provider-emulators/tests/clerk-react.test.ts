import * as provider from "@clerk/clerk-react";
import * as successor from "@clerk/react";
import { expect, test } from "vitest";

const standIn: Record<string, (...args: unknown[]) => unknown> = await import(
  new URL("../web/identity/clerk-react.js", import.meta.url).href
);

test("the stand-in has every export of the provider's package, and no other", () => {
  expect(Object.keys(standIn).sort()).toEqual(Object.keys(provider).sort());
});

test("the stand-in of the successor has every export of it", async () => {
  const standIn = await import(new URL("../web/identity/react.js", import.meta.url).href);
  expect(Object.keys(standIn)).toEqual(expect.arrayContaining(Object.keys(successor)));
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
