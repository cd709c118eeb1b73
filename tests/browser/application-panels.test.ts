import { expect, test } from "vitest";
import { applicationPanels } from "../../development/application-panels.js";
import { certificateRoom } from "../api/certificates/certified.js";
import { buildCoupon } from "../factories/coupons.js";
import { buildCourse } from "../factories/courses.js";
import { buy, refund } from "../factories/sales.js";
import { deliver, happen, userCreated } from "../factories/webhooks.js";
import { startTestServer } from "../server/test-server.js";
import { accessibilityFaults, describeInBrowser, expectToFit, openPage, overflow } from "./chromium.js";

/** Starts a server with an administrator, and the emulators' console. */
async function startWithConsole() {
  const server = await startTestServer({ console: true });
  const { console, clerk: identity } = server.emulators;
  if (!console || !identity) throw new Error("there is no console");
  console.show({ url: server.url, ...applicationPanels(identity, server.url) });
  const admin = await server.signedIn("admin");
  await identity.createUser({ id: admin.id, firstName: "Meera", lastName: "Iyer", role: "admin" });
  return { server, url: console.url, admin };
}

/** Adds a sale, a refunded sale, a coupon and a waiting grant. */
async function startWithSales() {
  const { server, url, admin } = await startWithConsole();
  const learner = await server.signedIn();
  const course = await buildCourse(server, { courseTitle: "Rust <b>& friends</b>" });
  const other = await buildCourse(server, { courseTitle: "Paid back" });
  await buy(server, learner, course._id);
  await refund(server, await buy(server, learner, other._id));
  await buildCoupon(server, admin, { code: "SPRING", kind: "percent", value: 10 });
  const grant = { email: "later@example.com", courseId: String(course._id), reason: "Guest" };
  await server.post("/api/admin/enrollments", grant, admin.token);
  return { server, url: `${url}/#sales` };
}

const guises = [
  ["light", 1280],
  ["dark", 360],
] as const;

describeInBrowser("the console's credentials", () => {
  test("keys and status lists are shown, and plain words without a key", async () => {
    const { server, url } = await startWithConsole();
    const room = await certificateRoom(server);
    const learner = await room.learner();
    const certificateId = await room.complete(learner);
    const page = await openPage();
    await page.goto(`${url}/#credentials`);
    await page.getByText("None yet: the first credential makes one.").waitFor();
    await server.get(`/api/user/certificates/${certificateId}/credential`, learner.token);
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByText("0 ended").waitFor();
    await room.post(`certificates/${certificateId}/revoke`, { reason: "Plagiarism" });
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByText("1 ended").waitFor();
    const { body } = await server.get("/.well-known/did.json");
    await page
      .locator("summary", { hasText: body.verificationMethod[0].publicKeyMultibase })
      .getByText("signs")
      .waitFor();
    for (const item of await page.locator("details.item summary").all()) await item.click();
    await page.getByText("1 of 131072 entries: revoked, reissued or erased").waitFor();
    await expectToFit(page);

    const { BACKEND_URL, FRONTEND_URL } = { BACKEND_URL: "https://api.example", FRONTEND_URL: "https://app.example" };
    const production = await server.another({ NODE_ENV: "production", BACKEND_URL, FRONTEND_URL });
    const { console, clerk } = server.emulators;
    if (clerk) console?.show({ url: production.url, ...applicationPanels(clerk, production.url) });
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByText("Off, because no key is set").waitFor();
    await expectToFit(page);
    expect(page.complaints.filter((text) => !text.includes("status of 404"))).toEqual([]);
  });
});

describeInBrowser("the console's events", () => {
  test.each(guises)(
    "an event reaches the receiver, with %s colours, %d pixels wide; axe finds no violation",
    async (colorScheme, width) => {
      const { server, url } = await startWithConsole();
      const page = await openPage({ colorScheme, viewport: { width, height: 800 } });
      await page.goto(`${url}/#events`);
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

describeInBrowser("the console's sales", () => {
  test.each(guises)(
    "axe finds no violation with %s colours, %d pixels wide, and the policy of the page nothing to complain about",
    async (colorScheme, width) => {
      const { url } = await startWithSales();
      const page = await openPage({ colorScheme, viewport: { width, height: 800 } });
      await page.goto(url);
      await page.locator("summary", { hasText: "Rust <b>& friends</b>" }).last().waitFor();
      for (const item of await page.locator("details.item summary").all()) await item.click();
      expect([await accessibilityFaults(page), await overflow(page), page.complaints]).toEqual([[], 0, []]);
    },
  );

  test("a coupon is created and switched off, with the keyboard alone", async () => {
    const { server, url } = await startWithSales();
    const page = await openPage();
    await page.goto(url);
    await page.getByLabel("Code").focus();
    await page.keyboard.type("autumn-5");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("5");
    await page.keyboard.press("Enter");
    const stored = () => server.deps.db.Coupon.findOne({ code: "AUTUMN-5" }).lean();
    await expect.poll(stored).toMatchObject({ kind: "percent", value: 5, active: true, courseIds: null });
    await page.locator("summary", { hasText: "AUTUMN-5" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Switch off" }).first().focus();
    await page.keyboard.press("Enter");
    await expect.poll(stored).toMatchObject({ active: false });
    await page.getByLabel("Code").fill("spring");
    await page.getByLabel("Value").fill("5");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("Coupon code already exists").waitFor();
  });

  test("a user is enrolled without a purchase, and the grant is ended", async () => {
    const { server, url } = await startWithSales();
    const page = await openPage();
    await page.goto(url);
    await page.getByLabel("E-mail address").fill("new@example.com");
    const form = page.locator("form", { has: page.getByLabel("Reason") });
    await form.getByLabel("Course").selectOption({ label: "Paid back" });
    await form.getByLabel("Reason").fill("Prize");
    await form.getByRole("button", { name: "Grant" }).click();
    const waiting = () => server.deps.db.Grant.findOne({ email: "new@example.com", state: "waiting" }).lean();
    await expect.poll(waiting).toMatchObject({ reason: "Prize" });
    await page.locator("summary", { hasText: "new@example.com" }).click();
    await page.locator("details[open]").getByRole("button", { name: "End the grant" }).click();
    await page.locator("summary", { hasText: "new@example.com" }).waitFor({ state: "detached" });
  });

  test("invoice and credit note are links to the PDFs", async () => {
    const { url, server } = await startWithSales();
    const page = await openPage();
    await page.goto(url);
    await page.locator("summary", { hasText: "Paid back" }).last().click();
    await page.locator("summary", { hasText: /friends<\/b>\s*₹899\.10/ }).waitFor();
    const links = page.locator("details[open] a");
    expect(await links.allTextContents()).toEqual(["Invoice", "Credit note"]);
    const types: unknown[] = [];
    for (const link of await links.all()) {
      const reply = await fetch(new URL((await link.getAttribute("href")) ?? "", url));
      types.push([reply.status, reply.headers.get("content-type"), reply.headers.get("content-disposition")]);
    }
    const numbers = await server.deps.db.Invoice.find().sort({ kind: -1, _id: -1 }).lean();
    const { number } = numbers.find(({ kind }) => kind === "credit-note") ?? {};
    expect(types).toEqual([
      [200, "application/pdf", expect.stringMatching(/^inline; filename="INV-/)],
      [200, "application/pdf", `inline; filename="${number}.pdf"`],
    ]);
  });
});
