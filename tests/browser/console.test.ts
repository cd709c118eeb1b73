import { type Emulators, startEmulators } from "@lyceum/provider-emulators";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createMailer } from "../../src/providers/mail.js";
import { createMailWriter } from "../../src/services/mail/write-mail.js";
import { startWebServer } from "../server/after-use.js";
import { accessibilityFaults, describeInBrowser, openPage, overflow } from "./chromium.js";

const panels = ["overview", "users", "payments", "webhooks", "media", "mailbox", "ai", "database", "requests"];

/** Starts emulators with data in each, and an application that accepts every webhook. */
async function startConsole(): Promise<Required<Emulators> & { orderId: string }> {
  const { url: applicationUrl } = await startWebServer((_req, res) => void res.end("{}"));
  const all = { clerk: true, razorpay: true, cloudinary: true, openai: true, smtp: true, console: true } as const;
  const emulators = await startEmulators({ ...all, applicationUrl });
  onTestFinished(() => emulators.close());
  await emulators.clerk.createUser({ id: "user_1", firstName: "Asha", lastName: "Rao", role: "educator" });
  const { RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET, OPENAI_API_KEY } = emulators.env;
  const post = async (url: string, authorization: string, body: object): Promise<any> => {
    const headers = { authorization, "content-type": "application/json" };
    return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json();
  };
  const basic = `Basic ${Buffer.from(`${RAZORPAY_KEY_ID}:${RAZORPAY_KEY_SECRET}`).toString("base64")}`;
  const notes = { courseTitle: "Rust <b>& friends</b>" };
  const { id } = await post(`${emulators.razorpay.url}/v1/orders`, basic, { amount: 129900, currency: "INR", notes });
  const messages = [{ role: "user", content: `What does narrowing mean in https://example.com/${"x".repeat(80)}?` }];
  await post(`${emulators.openai.url}/v1/chat/completions`, `Bearer ${OPENAI_API_KEY}`, { model: "any", messages });
  const from = { name: "Lyceum", address: "us@example.com" };
  const mailer = createMailer({ url: emulators.smtp.smtpUrl, from }, pino({ level: "silent" }));
  onTestFinished(() => mailer.close());
  const write = createMailWriter({ name: "Lyceum", color: "#0f766e", logo: undefined });
  const about = {
    type: "certificate_issued" as const,
    userId: "user_1",
    title: "Your certificate is ready",
    body: "Well done",
    link: null,
  };
  const mail = { id: "1", to: "asha@example.com", unsubscribeUrl: "https://api.example/unsubscribe/1" };
  await mailer.send({ ...mail, ...(await write(about, mail.unsubscribeUrl)) }, new AbortController().signal);
  const snapshot = { name: "before", bytes: 2_000, savedAt: new Date().toISOString() };
  emulators.console.show({
    url: applicationUrl,
    reference: `${applicationUrl}/api/docs`,
    personas: [{ id: "user_1", name: "Asha Rao", state: "educator", about: "Has published courses." }],
    database: {
      collections: async () => [{ name: "courses", documents: 1 }],
      documents: async () => ({ documents: [{ _id: "c1", courseTitle: "Rust" }] }),
      reset: async () => undefined,
      snapshots: async () => [snapshot],
      save: async () => snapshot,
      restore: async () => undefined,
    },
  });
  logRequest(emulators, "request-1", 200);
  return { ...emulators, orderId: id };
}

const logRequest = ({ console }: Pick<Required<Emulators>, "console">, requestId: string, status: number): void =>
  console.record(
    JSON.stringify({
      ...{ level: 30, time: new Date().toISOString(), requestId, msg: "answered" },
      ...{ req: { method: "GET", path: "/api/user/data" }, res: { status }, responseTime: 4.2 },
    }),
  );

describeInBrowser("the console", () => {
  test.each([
    ["light", 1280],
    ["dark", 360],
  ] as const)(
    "axe finds no violation on any panel with %s colours, %d pixels wide",
    { timeout: 60_000 },
    async (colorScheme, width) => {
      const { console } = await startConsole();
      const page = await openPage({ colorScheme, viewport: { width, height: 800 } });
      for (const panel of panels) {
        await page.goto(`${console.url}/#${panel}`);
        await page.locator(`nav a[href="./#${panel}"][aria-current="page"]`).waitFor();
        await page.locator("main h2").first().waitFor();
        for (const item of await page.locator("details.item summary").all()) await item.click();
        expect([panel, await accessibilityFaults(page), await overflow(page)]).toEqual([panel, [], 0]);
      }
      expect(page.complaints).toEqual([]);
      // Narrow, the panels are one row.
      const links = await page.locator("nav").boundingBox();
      if (width < 760) expect(links?.height).toBeLessThan(60);
    },
  );

  test("a token is copied, and shown where the browser does not let the page copy", async () => {
    const { console, clerk: identity } = await startConsole();
    const page = await openPage();
    await page.addInitScript("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))");
    await page.goto(console.url);
    await page.getByRole("button", { name: "Copy token" }).click();
    const shown = page.getByRole("dialog").getByRole("textbox");
    const token = await shown.inputValue();
    expect(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())).toMatchObject({ sub: "user_1" });
    expect(await page.evaluate("getSelection().toString() || document.activeElement.value")).toBe(token);
    expect(await page.evaluate("document.activeElement.selectionEnd")).toBe(token.length);
    await page.keyboard.press("Escape");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(identity.users()).toHaveLength(1);
  });

  test("a user signs up and gets another role, with the keyboard alone", async () => {
    const { console, clerk: identity } = await startConsole();
    const page = await openPage();
    await page.goto(`${console.url}/#users`);
    await page.getByLabel("First name").focus();
    await page.keyboard.type("Liam");
    await page.keyboard.press("Enter");
    await expect.poll(() => identity.users().map(({ firstName }) => firstName)).toEqual(["Asha", "Liam"]);
    await page.getByLabel("Search").fill("liam");
    await page.locator("summary", { hasText: "Liam" }).focus();
    await page.keyboard.press("Enter");
    const liam = page.getByRole("group").filter({ hasText: "Liam" });
    await liam.getByLabel("Role in the account").selectOption("admin");
    await expect.poll(() => identity.users()[1]?.publicMetadata.role).toBe("admin");
    await page.getByText("Role changed").waitFor();
  });

  test("an order fails, is paid, refunded in part and disputed", async () => {
    const { console, razorpay: payments } = await startConsole();
    const page = await openPage();
    await page.goto(`${console.url}/#payments`);
    await page.locator("summary", { hasText: "Rust <b>& friends</b>" }).click();
    await page.getByRole("button", { name: "Fail", exact: true }).click();
    await expect.poll(() => payments.records().payments.map(({ status }) => status)).toEqual(["failed"]);
    await page.getByRole("button", { name: "Capture late" }).click();
    await expect.poll(() => payments.records().payments.map(({ status }) => status)).toEqual(["captured"]);
    const amount = page.getByLabel("Amount in INR");
    for (const [typed, fault] of [
      ["10.005", "Enter an amount in INR, such as 1299.00"],
      ["1299.01", "At most ₹1,299.00 can be refunded"],
    ] as const) {
      await amount.fill(typed);
      await page.getByRole("button", { name: "Refund" }).click();
      expect(await page.evaluate("document.activeElement.validationMessage")).toBe(fault);
    }
    await amount.fill("1001.15");
    await page.getByRole("button", { name: "Refund" }).click();
    await expect.poll(() => payments.records().refunds.map(({ amount }) => amount)).toEqual([100_115]);
    await page.getByText("Refunded₹1,001.15").waitFor();
    await page.getByLabel("Dispute").selectOption("lost");
    await page.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => payments.deliveries().map(({ type }) => type)).toContain("payment.dispute.lost");
  });

  test("a delivery shows what was signed and sent, and is sent ten times or tampered with", async () => {
    const { console, clerk: identity } = await startConsole();
    await identity.settled();
    const page = await openPage();
    await page.goto(`${console.url}/#webhooks`);
    await page.locator("summary", { hasText: "user.created" }).click();
    expect(await page.locator("details[open]").textContent()).toMatch(/svix-signature[\s\S]*"first_name": "Asha"/);
    const attempts = () => identity.deliveries()[0]?.attempts ?? [];
    await page.getByRole("button", { name: "Send ten times at once" }).click();
    await expect.poll(() => attempts().length).toBe(11);
    await page.getByRole("button", { name: "Send tampered" }).click();
    await expect.poll(() => attempts().at(-1)?.tampered).toBe(true);
    await page.getByLabel("Drop").first().check();
    await expect.poll(() => identity.tricks.suppress).toBe(true);
  });

  test("requests appear as they come, and an AI fault is switched on", async () => {
    const { console, openai: ai } = await startConsole();
    const page = await openPage();
    await page.goto(`${console.url}/#requests`);
    await page.locator("summary", { hasText: "200" }).waitFor();
    logRequest({ console }, "request-2", 503);
    await page.locator("summary", { hasText: "503" }).click();
    expect(await page.locator("details[open]").textContent()).toContain("request-2");
    await page.getByRole("link", { name: "AI", exact: true }).click();
    await page.getByLabel("Fault").selectOption("junk");
    await page.getByRole("button", { name: "Switch on" }).click();
    await expect.poll(() => ai.faults.list()).toMatchObject([{ kind: "junk" }]);
  });

  test("a mail is shown as its reader sees it, with its text and its headers", async () => {
    const { console } = await startConsole();
    const page = await openPage();
    await page.goto(`${console.url}/#mailbox`);
    await page.locator("summary", { hasText: "Your certificate is ready" }).click();
    const frame = page.frameLocator("iframe.mail");
    await frame.getByRole("heading", { name: "Your certificate is ready" }).waitFor();
    expect(await frame.locator("img").getAttribute("src")).toMatch(/^data:image\/png;base64,/);
    expect(await page.locator("details[open]").textContent()).toContain(
      "list-unsubscribe-post: List-Unsubscribe=One-Click",
    );
    expect(page.complaints).toEqual([]);
  });

  test("the chosen colours stay", async () => {
    const { console } = await startConsole();
    const page = await openPage({ colorScheme: "light" });
    await page.goto(console.url);
    await page.getByLabel("Colours").selectOption("dark");
    await page.reload();
    await expect.poll(() => page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(14, 20, 22)");
  });
});
