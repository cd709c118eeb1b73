import { expect, test } from "vitest";
import type { NoticeType } from "../../../src/services/notices/notice-types.js";
import { unsubscribeUrl } from "../../../src/services/notices/unsubscribe.js";
import { deliverIdentity, userData } from "../../factories/identity-events.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const { db, config } = server.deps;
const { backendUrl } = config;

const request = (path: string, init?: RequestInit) => fetch(server.url + path, init);
const oneClick = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };
const preferencesOf = async ({ token }: SignedIn) =>
  (await server.get("/api/user/notification-preferences", token)).body.preferences;
const emailOf = async ({ id }: SignedIn) => (await db.User.findById(id).orFail().lean()).email;

async function pathOf({ id: userId }: SignedIn, type: NoticeType, email: string): Promise<string> {
  return String(await unsubscribeUrl(db, backendUrl, { userId, type, email })).slice(backendUrl.length);
}

const isUnknown = async (path: string): Promise<void> => {
  for (const init of [{}, oneClick]) {
    const page = await request(path, init);
    expect([path, page.status, await page.text()]).toEqual([path, 404, expect.stringContaining("not known")]);
  }
};

test("a token switches off the mails of one type, by one click or by a page that offers to undo", async () => {
  const user = await server.signedIn();
  const email = await emailOf(user);
  const [path, other] = [await pathOf(user, "announcement", email), await pathOf(user, "new_student", email)];
  const [first, same] = await Promise.all([email, email.toUpperCase()].map((to) => pathOf(user, "review_written", to)));
  expect(await pathOf(user, "announcement", email)).toBe(path);
  expect(first).toBe(same);

  const show = async (query = "", init?: RequestInit) => (await request(path + query, init)).text();
  const page = await request(path, { headers: { accept: "text/html,*/*;q=0.8" } });
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toMatch(/^text\/html/);
  expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; .*form-action 'self'/);
  const text = await page.text();
  expect(text).toMatch(/<form method="post" action="\?">\s*<button type="submit">/);
  expect(text).toContain("An educator writes to the learners of your course");
  expect(text).toContain(`${email[0]}•••@${email.split("@")[1]}`);
  expect(text).not.toContain(email);
  expect((await preferencesOf(user)).announcement).toEqual({ app: true, mail: true });

  for (const _ of "twice") expect((await request(path, oneClick)).status).toBe(200);
  expect((await preferencesOf(user)).announcement).toEqual({ app: true, mail: false });
  expect(await show()).toMatch(/switched off[\s\S]*<form method="post" action="\?undo=true">/);
  expect(await show("?undo=true", { method: "POST" })).toContain("switched on again");
  expect((await preferencesOf(user)).announcement).toEqual({ app: true, mail: true });
  expect((await request(`${path}?undo=1`, oneClick)).status).toBe(400);

  const json = { method: "POST", headers: { accept: "application/json" } };
  expect(await (await request(other, json)).json()).toEqual({ success: true });
  expect(await preferencesOf(user)).toMatchObject({ new_student: { mail: false }, reply_to_post: { mail: true } });
  expect(await unsubscribeUrl(db, backendUrl, { userId: user.id, type: "purchase_receipt", email })).toBeNull();
});

test("a token is unknown once the address has changed, and while there is no verified one", async () => {
  const user = await server.signedIn();
  const email = await emailOf(user);
  const path = await pathOf(user, "announcement", email);
  const former = `/unsubscribe/${"f".repeat(42)}${user.id.slice(-1)}.announcement`;
  await db.Inbox.updateOne({ _id: user.id }, { unsubscribeToken: former.slice(13, 56) }, { upsert: true });
  for (const known of [path, former]) expect((await request(known)).status).toBe(200);
  await deliverIdentity(server, userData(user.id, `new.${email}`), "user.updated");
  // A mail to the former address may have been on its way.
  for (const old of [path, former, await pathOf(user, "announcement", email)]) await isUnknown(old);
  const present = await pathOf(user, "announcement", `new.${email}`);
  expect((await request(present)).status).toBe(200);
  await deliverIdentity(server, userData(user.id, email, { email_addresses: [] }), "user.updated");
  await isUnknown(present);
});

test("an address in a mail of version 1.0 switches off its own type alone, and nothing in a receipt", async () => {
  const user = await server.signedIn();
  const unsubscribeToken = `${"o".repeat(42)}${user.id.slice(-1)}`;
  await db.Inbox.updateOne({ _id: user.id }, { unsubscribeToken }, { upsert: true });
  const before = await preferencesOf(user);
  expect((await request(`/unsubscribe/${unsubscribeToken}.announcement`, oneClick)).status).toBe(200);
  expect(await preferencesOf(user)).toEqual({ ...before, announcement: { app: true, mail: false } });
  for (const type of ["purchase_receipt", "constructor", "announcementx"]) {
    await isUnknown(`/unsubscribe/${unsubscribeToken}.${type}`);
  }
});

test("an unknown address is 404, as a page or as JSON", async () => {
  const user = await server.signedIn();
  const path = await pathOf(user, "announcement", await emailOf(user));
  for (const unknown of ["/unsubscribe/x", `${path}.announcement`, `${path}x`, `/unsubscribe/${"x".repeat(43)}`]) {
    await isUnknown(unknown);
  }
  expect(await server.get("/unsubscribe/x")).toMatchObject({ status: 404 });
});
