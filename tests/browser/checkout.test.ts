import { startEmulators } from "@lyceum/provider-emulators";
import type { Page } from "playwright-core";
import Razorpay from "razorpay";
import { expect, onTestFinished, test } from "vitest";
import { startWebServer } from "../server/after-use.js";
import { accessibilityFaults, describeInBrowser, openPage, overflow } from "./chromium.js";

/** Opens a shop on another origin than the checkout's. `window.seen` collects the callbacks. */
async function openShop(options: object = {}, size = { width: 1280, height: 800 }) {
  const emulators = await startEmulators({ razorpay: true });
  const { RAZORPAY_KEY_ID = "", RAZORPAY_KEY_SECRET = "" } = emulators.env;
  const razorpay = new Razorpay({ key_id: RAZORPAY_KEY_ID, key_secret: RAZORPAY_KEY_SECRET });
  const payments = emulators.razorpay;
  const http = (razorpay as unknown as { api: { rq: { defaults: { baseURL: string } } } }).api.rq;
  http.defaults.baseURL = payments.url;
  const order = await razorpay.orders.create({ amount: 249900, currency: "INR", receipt: "r1" });
  const given = JSON.stringify({ key: RAZORPAY_KEY_ID, order_id: order.id, ...options });
  const shop = await startWebServer((_req, res) => {
    res
      .setHeader("content-type", "text/html")
      .end(`<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1><button id="buy">Buy</button></main>
<script src="${payments.url}/v1/checkout.js"></script>
<script>
  window.seen = [];
  const options = ${given};
  options.handler = (response) => seen.push(["paid", response]);
  options.modal = { ...options.modal, ondismiss: () => seen.push(["dismissed"]) };
  window.checkout = new Razorpay(options).on("payment.failed", (response) => seen.push(["failed", response]));
  buy.onclick = () => checkout.open();
</script>`);
  });
  onTestFinished(() => emulators.close());
  const page = await openPage({ viewport: size });
  await page.goto(`http://localhost:${shop.port}/`);
  await page.click("#buy");
  const frame = page.frameLocator("iframe.razorpay-checkout-frame");
  await frame.getByRole("button", { name: "Cancel" }).waitFor();
  return { page, payments, orderId: order.id, frame };
}

const seen = (page: Page): Promise<any[]> => page.evaluate("window.seen");
const isOpen = async (page: Page): Promise<boolean> => (await page.locator("iframe").count()) > 0;

describeInBrowser("the checkout in a page of another origin", () => {
  test("a learner pays: the handler gets the signed result and the checkout closes", async () => {
    const prefill = { name: "Asha Rao", email: "asha@example.com", contact: "+919999999999" };
    const { page, payments, orderId, frame } = await openShop({ name: "Lyceum", description: "A course", prefill });
    expect(await frame.locator("main").textContent()).toMatch(/Lyceum[\s\S]*₹2,499\.00[\s\S]*A course[\s\S]*Asha Rao/);
    await frame.getByRole("button", { name: /^Pay/ }).click();
    await expect.poll(() => seen(page)).toHaveLength(1);
    const [[kind, result]] = await seen(page);
    const signature = payments.signCheckout(orderId, result.razorpay_payment_id);
    expect([kind, result.razorpay_order_id, result.razorpay_signature]).toEqual(["paid", orderId, signature]);
    expect(await isOpen(page)).toBe(false);
    expect(page.complaints).toEqual([]);
  });

  test("the frame is as high as its content, also after a failure, and has no colour of its own at its corners", async () => {
    const { page, frame } = await openShop();
    const main = frame.locator("main");
    const heights = async () => [
      (await page.locator("iframe").boundingBox())?.height,
      (await main.boundingBox())?.height,
    ];
    const isFilled = async () => new Set(await heights()).size === 1;
    await expect.poll(isFilled).toBe(true);
    await frame.getByRole("button", { name: "Fail", exact: true }).click();
    await frame.getByRole("alert").waitFor();
    await expect.poll(isFilled).toBe(true);
    const background = "getComputedStyle(document.querySelector('iframe')).backgroundColor";
    expect(await page.evaluate(background)).toBe("rgba(0, 0, 0, 0)");
  });

  test("a payment fails, is explained, and the second attempt pays", async () => {
    const { page, frame } = await openShop({}, { width: 360, height: 640 });
    await frame.getByRole("button", { name: "Fail", exact: true }).click();
    expect(await frame.getByRole("alert").textContent()).toContain("No money was taken");
    await expect.poll(() => seen(page)).toMatchObject([["failed", { error: { reason: "payment_failed" } }]]);
    const body = frame.locator("html");
    expect(await body.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(0);
    expect(await overflow(page)).toBe(0);
    await frame.getByRole("link", { name: "Try again" }).click();
    await frame.getByRole("button", { name: /^Pay/ }).click();
    await expect.poll(async () => (await seen(page)).map(([kind]) => kind)).toEqual(["failed", "paid"]);
  });

  test.each([
    ["a button", async (page: Page) => page.frameLocator("iframe").getByRole("button", { name: "Cancel" }).click()],
    ["the Escape key", async (page: Page) => page.keyboard.press("Escape")],
  ])("the learner leaves it with %s", async (_how, leave) => {
    const { page } = await openShop();
    await leave(page);
    await expect.poll(() => seen(page)).toEqual([["dismissed"]]);
    expect(await isOpen(page)).toBe(false);
    expect(await page.evaluate("document.activeElement.id")).toBe("buy");
    await page.click("#buy");
    expect(await isOpen(page)).toBe(true);
  });

  test("the page may close it, and hears of no dismissal; Escape and the backdrop are what the options say", async () => {
    const { page } = await openShop({ modal: { escape: false } });
    for (const _ of [1, 2, 3]) await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    expect(await isOpen(page)).toBe(true);
    await page.evaluate("window.checkout.close()");
    expect([await isOpen(page), await seen(page)]).toEqual([false, []]);
  });

  test("it is modal: the page behind it is out of reach", async () => {
    const { page } = await openShop();
    const left: string[] = [];
    for (let step = 0; step < 8; step += 1) {
      await page.keyboard.press("Tab");
      left.push(await page.evaluate<string>("document.activeElement.id"));
    }
    expect(left).not.toContain("buy");
    await expect(page.locator("#buy").click({ timeout: 500 })).rejects.toThrow("intercepts pointer events");
    expect(await page.getByRole("dialog", { name: "Checkout" }).count()).toBe(1);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test("an amount or a currency that is not the order's is reported in the browser's console", async () => {
    const { page, frame } = await openShop();
    const warnings: string[] = [];
    page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
    const openWith = async (amount: number | string, currency: string) => {
      await page.evaluate(`checkout.close(); seen = []; window.checkout = new Razorpay({
        ...options, amount: ${JSON.stringify(amount)}, currency: ${JSON.stringify(currency)} }).open()`);
      await frame.getByRole("button", { name: "Cancel" }).click();
      await expect.poll(() => seen(page)).toHaveLength(1);
    };
    await openWith("249900", "INR");
    expect(warnings).toEqual([]);
    await openWith(2499, "INR");
    await openWith(249900, "USD");
    const ofOrder = "the order has 249900 INR, in the currency's smallest unit";
    expect(warnings).toEqual([
      expect.stringContaining(`amount 2499 INR, but ${ofOrder}`),
      expect.stringContaining(`amount 249900 USD, but ${ofOrder}`),
    ]);
  });

  test("messages that do not come from the checkout's frame are not believed", async () => {
    const { page } = await openShop();
    await page.evaluate(`window.postMessage({ kind: "paid", response: {} }, "*")`);
    await page.evaluate("new Promise((resolve) => setTimeout(resolve))");
    expect([await isOpen(page), await seen(page)]).toEqual([true, []]);
  });

  test.each(["light", "dark"] as const)("axe finds no violation with %s colours", async (colorScheme) => {
    const { payments, orderId } = await openShop();
    const page = await openPage({ colorScheme });
    await page.goto(`${payments.checkoutUrl(orderId)}?embedder=http://localhost:5173`);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Fail", exact: true }).click();
    await page.getByRole("alert").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});
