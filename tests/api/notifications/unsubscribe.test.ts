import { expect, test } from "vitest";
import type { NoticeType } from "../../../src/services/notices/notice-types.js";
import { unsubscribeUrl } from "../../../src/services/notices/unsubscribe.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const { db, config } = server.deps;
const { backendUrl } = config;

const request = (path: string, init?: RequestInit) => fetch(server.url + path, init);
const oneClick = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };

test("an address in a mail switches off the mail of its type, by one click or by the button of its page", async () => {
  const { id: userId, token } = await server.signedIn();
  const preferences = async () => (await server.get("/api/user/notification-preferences", token)).body.preferences;
  const pathOf = async (type: NoticeType) =>
    (await unsubscribeUrl(db, backendUrl, { userId, type })).slice(backendUrl.length);
  const [path, other] = [await pathOf("announcement"), await pathOf("new_student")];
  expect(await pathOf("announcement")).toBe(path);

  const page = await request(path, { headers: { accept: "text/html,*/*;q=0.8" } });
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toMatch(/^text\/html/);
  expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; .*form-action 'self'/);
  expect(await page.text()).toMatch(/<form method="post">\s*<button type="submit">/);
  expect((await preferences()).announcement).toEqual({ app: true, mail: true });

  for (const _ of "twice") expect((await request(path, oneClick)).status).toBe(200);
  expect((await preferences()).announcement).toEqual({ app: true, mail: false });
  const json = { method: "POST", headers: { accept: "application/json" } };
  expect(await (await request(other, json)).json()).toEqual({ success: true });
  expect(await preferences()).toMatchObject({ new_student: { mail: false }, reply_to_post: { mail: true } });

  const receipt = await pathOf("purchase_receipt");
  expect(await (await request(receipt)).text()).toContain("Switch off all other mails");
  expect((await request(receipt, oneClick)).status).toBe(200);
  expect(await preferences()).toMatchObject({
    purchase_receipt: { mail: true },
    reply_to_post: { app: true, mail: false },
  });
});

test("an unknown address is 404, as a page or as JSON", async () => {
  const { id: userId } = await server.signedIn();
  const url = await unsubscribeUrl(db, backendUrl, { userId, type: "announcement" });
  const path = url.slice(backendUrl.length);
  const [known = ""] = path.split(".");
  const forged = ["/unsubscribe/x", known, `${known}.constructor`, `${path}x`];
  for (const unknown of [...forged, `/unsubscribe/${"x".repeat(43)}.announcement`]) {
    for (const init of [{}, oneClick]) {
      const page = await request(unknown, init);
      expect({ status: page.status, text: await page.text() }).toMatchObject({
        status: 404,
        text: expect.stringContaining("not known"),
      });
    }
  }
  expect(await server.get("/unsubscribe/x")).toMatchObject({ status: 404 });
});
