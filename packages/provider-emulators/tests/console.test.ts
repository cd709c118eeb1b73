import { verifyToken } from "@clerk/backend";
import { expect, test } from "vitest";
import { started, startedEmulators, webhookReceiver } from "./start.js";

async function withConsole(applicationUrl: string) {
  const emulators = await startedEmulators({}, { applicationUrl, ports: { console: 0 } });
  const { url } = started(emulators.console);
  return { emulators, url, html: async () => (await fetch(url)).text() };
}

test("the console shows providers, users, orders and deliveries, and escapes what it shows", async () => {
  const receiver = await webhookReceiver();
  const { emulators, html } = await withConsole(receiver.url);
  const identity = started(emulators.identity);
  const payments = started(emulators.payments);
  expect(await html()).toContain("No order yet");
  await identity.createUser({ firstName: "<b>Asha</b>", email: "asha@example.com" });
  const { RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET } = emulators.variables;
  await fetch(`${payments.url}/v1/orders`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${RAZORPAY_KEY_ID}:${RAZORPAY_KEY_SECRET}`).toString("base64")}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ amount: 129900, currency: "INR", notes: { courseTitle: "Rust & friends" } }),
  });
  await identity.settled();
  const page = await html();
  for (const { address } of emulators.table) expect(page).toContain(address);
  expect(page).toContain("&#60;b&#62;Asha");
  expect(page).not.toContain("<b>Asha");
  expect(page).toContain("Rust &#38; friends");
  expect(page).toContain(payments.checkoutUrl(payments.ledger().orders[0]?.id ?? ""));
  expect(page).toContain("user.created");
  for (const secret of [RAZORPAY_KEY_SECRET, emulators.variables.CLERK_SECRET_KEY]) expect(page).not.toContain(secret);
});

test("a user's token is one click away, for pages of this machine only", async () => {
  const receiver = await webhookReceiver();
  const { emulators, url } = await withConsole(receiver.url);
  const { id } = await started(emulators.identity).createUser({ firstName: "Asha", role: "educator" });
  const take = (userId: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/tokens/${userId}`, { method: "POST", headers: { accept: "text/plain", ...headers } });
  const token = await (await take(id)).text();
  const claims = await verifyToken(token, { jwtKey: emulators.variables.CLERK_JWT_KEY ?? "" });
  expect(claims).toMatchObject({ sub: id, metadata: { role: "educator" } });
  expect((await take("user_none")).status).toBe(404);
  expect((await take(id, { origin: "https://evil.example" })).status).toBe(403);
  expect((await take(id, { origin: url })).status).toBe(200);
});

test("a delivery is sent again at a click", async () => {
  const receiver = await webhookReceiver(400);
  const { emulators, url } = await withConsole(receiver.url);
  const identity = started(emulators.identity);
  await identity.createUser({ firstName: "Asha" });
  await identity.settled();
  const [delivery] = identity.deliveries();
  expect(delivery?.state).toBe("refused");
  const again = await fetch(`${url}/deliveries/identity/${delivery?.id}`, { method: "POST", redirect: "manual" });
  expect(again.status).toBe(303);
  expect(receiver.received).toHaveLength(2);
  expect(identity.deliveries()[0]?.state).toBe("delivered");
});
