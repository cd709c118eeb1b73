import { startEmulators } from "@lyceum/provider-emulators";
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { startWebServer } from "../server/after-use.js";
import { accessibilityFaults, describeInBrowser, openPage, overflow } from "./chromium.js";

let identityUrl = "";
const site = await startWebServer((_req, res) => {
  res.setHeader("content-type", "text/html").end(`<!doctype html><html lang="en"><title>Site</title><main><h1>Site</h1>
<button id="in" onclick="Clerk.openSignIn()">Sign in</button><div id="account"></div></main>
<script type="module" src="${identityUrl}/browser/clerk.js"></script>
<script type="module">Clerk.addListener(() => Clerk.mountUserButton(account))</script></html>`);
});
const siteUrl = `http://localhost:${site.port}`;
const { clerk: identity, close } = await startEmulators({ clerk: true, frontendUrl: siteUrl });
afterAll(close);
identityUrl = identity.url;
await identity.createUser({ id: "user_asha", firstName: "Asha", lastName: "Rao", email: "asha@example.com" });
await identity.createUser({ id: "user_liam", firstName: "Liam" });

async function openSite(options: BrowserContextOptions = {}) {
  const page = await openPage(options);
  await page.goto(siteUrl);
  await page.click("#in");
  const choice = page.getByRole("button", { name: "Asha Rao (student)" });
  await choice.waitFor();
  return { page, choice, dialog: page.getByRole("dialog", { name: "Sign in" }) };
}

describeInBrowser("signing in at the emulator", () => {
  test("the dialog closes by Escape, by its button and by the backdrop, and returns the focus", async () => {
    const { page, dialog } = await openSite();
    const ways = [
      () => page.keyboard.press("Escape"),
      () => dialog.getByRole("button", { name: "Close" }).click(),
      () => page.mouse.click(5, 5),
    ];
    for (const close of ways) {
      await close();
      await dialog.waitFor({ state: "detached" });
      expect(await page.evaluate("document.activeElement.id")).toBe("in");
      await page.click("#in");
      await dialog.waitFor();
    }
    await dialog.getByRole("heading", { name: "Sign up" }).click();
    expect(await dialog.count()).toBe(1);
  });

  test("the keyboard is enough to sign in, to look at the profile and to sign out", async () => {
    const { page, dialog } = await openSite();
    await page.keyboard.type("asha");
    await expect.poll(() => dialog.getByRole("listitem").count()).toBe(1);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const account = page.getByRole("button", { name: "Account of Asha Rao" });
    await account.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Profile" }).getByText("asha@example.com").waitFor();
    await page.keyboard.press("Escape");
    await account.focus();
    await page.keyboard.press("Enter");
    for (const _ of [1, 2, 3]) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await account.waitFor({ state: "detached" });
    expect([await dialog.count(), page.complaints]).toEqual([0, []]);
  });

  test("concurrent callers share one token, and a token that comes after a switch is the old user's", async () => {
    const { page, choice } = await openSite();
    await choice.click();
    await page.getByRole("button", { name: "Account of Asha Rao" }).waitFor();
    let requests = 0;
    await page.route("**/dev/tokens", async (route) => {
      requests += 1;
      if (requests === 2) await new Promise((resolve) => setTimeout(resolve, 200));
      await route.continue();
    });
    await page.evaluate("Promise.all([1, 2, 3].map(() => Clerk.getToken()))");
    expect(requests).toBe(1);
    const subject = await page.evaluate(`(async () => {
      const late = Clerk.getToken({ skipCache: true });
      await Clerk.signInAs("user_liam");
      await late;
      return JSON.parse(atob((await Clerk.getToken()).split(".")[1].replaceAll("-", "+").replaceAll("_", "/"))).sub;
    })()`);
    expect(subject).toBe("user_liam");
  });

  test("a first load that failed is repeated", async () => {
    const { page } = await openSite();
    await page.evaluate(`Clerk.signInAs("user_liam")`);
    await page.route("**/dev/users/*", (route) => route.abort());
    await page.reload();
    await page.waitForFunction("window.Clerk");
    expect(await page.evaluate("Clerk.load().then(() => true, () => false)")).toBe(false);
    await page.unroute("**/dev/users/*");
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.getByRole("button", { name: "Account of Liam" }).waitFor();
    expect(await page.evaluate("Clerk.getToken().then((token) => typeof token)")).toBe("string");
  });

  test("a refused sign-up is explained in the dialog", async () => {
    const { page } = await openSite();
    await page.route("**/dev/users", (route) => route.abort());
    await page.getByLabel("First name").fill("Tara");
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByRole("alert").filter({ hasText: "start the server with FRONTEND_URL" }).waitFor();
  });

  test.each(["light", "dark"] as const)("axe finds no violation with %s colours", async (colorScheme) => {
    const { page, choice } = await openSite({ colorScheme, viewport: { width: 390, height: 800 } });
    expect(await accessibilityFaults(page)).toEqual([]);
    await choice.click();
    await page.getByRole("button", { name: "Account of Asha Rao" }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    expect([await accessibilityFaults(page), await overflow(page)]).toEqual([[], 0]);
  });
});
