import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { verifyToken } from "@clerk/backend";
import { Router } from "express";
import { expect, test } from "vitest";
import { RequestJournal } from "../src/console/request-journal.js";
import { order, razorpayFor } from "./payments-client.js";
import { started, startedEmulators, temporaryFolder, webhookReceiver } from "./start.js";

async function withConsole() {
  const receiver = await webhookReceiver();
  const emulators = await startedEmulators({ applicationUrl: receiver.url, console: true });
  const { url, ...shown } = started(emulators.console);
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const sent = body ? { body: JSON.stringify(body) } : {};
    const reply = await fetch(url + path, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...sent,
    });
    return { status: reply.status, body: (await reply.json()) as any };
  };
  return { emulators, url, console: shown, call, receiver };
}

test("the page comes with a policy that lets nothing in from elsewhere, and names no secret", async () => {
  const { emulators, url, call } = await withConsole();
  const page = await fetch(url);
  const policy = page.headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  for (const [address] of (await page.text()).matchAll(/(?<=(src|href)=")[^"#]+/g)) {
    expect([address, (await fetch(new URL(address, url))).status]).toEqual([address, 200]);
  }
  expect((await fetch(`${url}/lit/lit-html.js`)).status).toBe(200);
  const state = JSON.stringify((await call("GET", "/state")).body);
  for (const { address } of emulators.table) expect(state).toContain(address);
  const { RAZORPAY_KEY_SECRET = "", CLERK_SECRET_KEY = "" } = emulators.env;
  for (const secret of [RAZORPAY_KEY_SECRET, CLERK_SECRET_KEY]) expect(state).not.toContain(secret);
});

test("users are found, created, changed and deleted; a page of another origin reaches nothing", async () => {
  const { call, url } = await withConsole();
  const { user } = (await call("POST", "/identity/dev/users", { firstName: "Asha", lastName: "Rao" })).body;
  await call("POST", "/identity/dev/users", { firstName: "Liam", role: "educator" });
  const found = async (query: string) =>
    (await call("GET", `/identity/dev/users?query=${query}`)).body.users.map(({ firstName }: any) => firstName);
  expect([await found("rao"), await found("EDUCATOR"), await found("nobody")]).toEqual([["Asha"], ["Liam"], []]);
  expect((await call("GET", "/identity/dev/users?limit=1")).body).toMatchObject({ users: [{ id: user.id }], total: 2 });
  await call("PATCH", `/identity/dev/users/${user.id}`, { role: "admin" });
  expect(await found("admin")).toEqual(["Asha"]);
  await call("DELETE", `/identity/dev/users/${user.id}`);
  expect(await found("")).toEqual(["Liam"]);
  const from = (origin: string) => call("GET", "/identity/dev/users", undefined, { origin });
  expect([(await from("https://evil.example")).status, (await from(url)).status]).toEqual([403, 200]);
});

test("tokens that must be refused are on offer", async () => {
  const { emulators, call } = await withConsole();
  const verify = async (asked: object) => {
    const { token } = (await call("POST", "/identity/dev/tokens", { userId: "user_1", ...asked })).body;
    return verifyToken(token, {
      jwtKey: emulators.env.CLERK_JWT_KEY ?? "",
      authorizedParties: ["http://localhost:5173"],
    });
  };
  await expect(verify({})).resolves.toMatchObject({ sub: "user_1" });
  const reasons = { expired: "expired", "not-yet-valid": "nbf", "wrong-signature": "signature", "other-party": "azp" };
  for (const [fault, reason] of Object.entries(reasons)) {
    await expect(verify({ fault }), fault).rejects.toThrow(new RegExp(reason, "i"));
  }
  expect((await call("POST", "/identity/dev/tokens", { userId: "user_1", fault: "none" })).status).toBe(400);
});

test("an order is failed, captured late, refunded in part and disputed; its messages are sent again", async () => {
  const { emulators, call, receiver } = await withConsole();
  const { id } = await razorpayFor(emulators).orders.create(order);
  const failed = (await call("POST", `/payments/dev/orders/${id}/pay`, { outcome: "failed" })).body;
  const payment = `/payments/dev/payments/${failed.razorpay_payment_id}`;
  await call("POST", `${payment}/capture`, {});
  await call("POST", `${payment}/refund`, { amount: 1000 });
  await call("POST", `${payment}/dispute`, { phase: "lost" });
  await started(emulators.razorpay).settled();
  const { payments, deliveries } = (await call("GET", "/payments/dev/records")).body;
  expect(payments[0]).toMatchObject({ status: "captured", amountRefunded: 1000 });
  expect(deliveries.map(({ type }: any) => type)).toEqual(
    expect.arrayContaining(["payment.failed", "payment.captured", "refund.processed", "payment.dispute.lost"]),
  );
  const before = receiver.received.length;
  await call("POST", `/payments/dev/deliveries/${deliveries[0].id}/duplicate`, { copies: 3 });
  expect(receiver.received).toHaveLength(before + 3);
});

test("what the application shows of its own is offered, and its database changes once at a time", async () => {
  const { console, call } = await withConsole();
  expect((await call("GET", "/state")).body.panels).not.toContain("database");
  let finish = (): void => undefined;
  const saving = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const snapshot = { name: "before", bytes: 10, savedAt: new Date().toISOString() };
  console.show({
    url: "http://localhost:3000",
    personas: [{ id: "user_1", name: "Asha", state: "new learner", about: "Has bought nothing." }],
    database: {
      collections: async () => [{ name: "courses", documents: 3 }],
      documents: async (name, after) => ({ documents: [{ name, after }] }),
      reset: async () => undefined,
      snapshots: async () => [snapshot],
      save: async () => saving.then(() => snapshot),
      restore: async () => undefined,
    },
  });
  expect((await call("GET", "/state")).body).toMatchObject({ panels: expect.arrayContaining(["database"]) });
  expect((await call("GET", "/database/collections")).body.collections).toEqual([{ name: "courses", documents: 3 }]);
  expect((await call("GET", "/database/collections/courses?after=x")).body.documents).toEqual([
    { name: "courses", after: "x" },
  ]);
  expect((await call("POST", "/database/snapshots", { name: "../up" })).status).toBe(400);
  expect((await call("POST", "/database/reset", { to: "full" })).status).toBe(400);
  const first = call("POST", "/database/snapshots", { name: "before" });
  await expect.poll(async () => (await call("GET", "/database/collections")).body.changing).toBe(true);
  expect((await call("POST", "/database/reset", { to: "empty" })).status).toBe(409);
  finish();
  expect((await first).body).toEqual({ snapshot });
});

test("the application adds a panel with its requests", async () => {
  const { console, call, url } = await withConsole();
  const file = join(await temporaryFolder(), "panel.js");
  await writeFile(file, "export default { id: 'own', title: 'Own' };");
  expect((await call("GET", "/state")).body.modules).toEqual([]);
  console.show({
    url: "http://localhost:3000",
    services: [{ provider: "database", kind: "emulator", address: "mongodb://127.0.0.1:9" }],
    panels: [file],
    routes: Router().get("/figures", (_req, res) => void res.json({ sold: 3 })),
  });
  const { modules, providers } = (await call("GET", "/state")).body;
  expect(providers[0]).toMatchObject({ provider: "database" });
  const module = await fetch(url + modules[0]);
  expect([module.headers.get("content-type"), await module.text()]).toEqual([
    expect.stringContaining("javascript"),
    expect.stringContaining("title: 'Own'"),
  ]);
  expect((await call("GET", "/application/figures")).body).toEqual({ sold: 3 });
  expect((await fetch(`${url}/panels/own/1.js`)).status).toBe(404);
});

test("the journal puts the lines of one request together, and forgets the oldest", () => {
  const journal = new RequestJournal();
  const line = (requestId: string, more: object) =>
    journal.record(JSON.stringify({ level: "info", time: "2026-01-01T00:00:00.000Z", requestId, ...more }));
  const seen: string[] = [];
  journal.onChange(({ requestId }) => seen.push(requestId));
  line("a", { msg: "purchase opened", purchase: "p1" });
  const req = { method: "POST", path: "/api/user/purchase" };
  line("a", { msg: "POST", req, res: { status: 200 }, responseTime: 12.5 });
  journal.record("not JSON");
  journal.record(JSON.stringify({ level: 30, time: 1, msg: "no request" }));
  expect(journal.list()).toMatchObject([
    { ...req, status: 200, milliseconds: 12.5, lines: [{ fields: { purchase: "p1" } }, { fields: {} }] },
  ]);
  for (let i = 0; i < 400; i += 1) line(`r${i}`, {});
  expect(journal.list()).toHaveLength(300);
  expect([journal.list()[0]?.requestId, seen.length]).toEqual(["r100", 402]);
});
