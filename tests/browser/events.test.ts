import { expect, test } from "vitest";
import { applicationPanels } from "../../src/development/application-panels.js";
import { deliver, happen, userCreated } from "../factories/webhooks.js";
import { startTestServer } from "../server/test-server.js";
import { accessibilityFaults, describeInBrowser, openPage, overflow } from "./chromium.js";

/** Starts a server with an administrator, and the emulators' console. */
async function startWithConsole() {
  const server = await startTestServer({ console: true });
  const { console, clerk: identity } = server.emulators;
  if (!console || !identity) throw new Error("there is no console");
  console.show({ url: server.url, ...applicationPanels(identity, server.url) });
  const admin = await server.signedIn("admin");
  await identity.createUser({ id: admin.id, firstName: "Meera", lastName: "Iyer", role: "admin" });
  return { server, url: `${console.url}/#events` };
}

describeInBrowser("the console's events", () => {
  test.each([
    ["light", 1280],
    ["dark", 390],
  ] as const)(
    "an event reaches the receiver, with %s colours, %d pixels wide; axe finds no violation",
    { timeout: 60_000 },
    async (colorScheme, width) => {
      const { server, url } = await startWithConsole();
      const page = await openPage({ colorScheme, viewport: { width, height: 800 } });
      await page.goto(url);
      await page.getByRole("button", { name: "Send all events to the receiver" }).click();
      await page.getByText("active").first().waitFor();
      await happen(server, userCreated("user_of_an_event"));
      await deliver(server);
      await page.getByRole("button", { name: "Reload" }).click();
      await page.getByText("signature verified").waitFor();
      await page.getByLabel("Answer").selectOption("500");
      await page.locator("summary", { hasText: "/application/receiver/messages" }).click();
      await page.getByRole("button", { name: "Ping" }).click();
      await page.getByText("Answered with status 500").waitFor();
      for (const item of await page.locator("details.item").all()) {
        if ((await item.getAttribute("open")) === null) await item.locator("summary").click();
      }
      expect([await accessibilityFaults(page), await overflow(page), page.complaints]).toEqual([[], 0, []]);
    },
  );
});
