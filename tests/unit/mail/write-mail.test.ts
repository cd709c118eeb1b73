import { expect, test } from "vitest";
import { createMailWriter } from "../../../src/services/mail/write-mail.js";
import { noticeTypeNames } from "../../../src/services/notices/notice-types.js";

const write = createMailWriter({ name: "A & B", color: "#7c2d12", logo: undefined });
const hostile = { title: "<script>alert(1)</script> {{name}}", body: "One <b>\n\nTwo {{title}} $& <!-- button -->" };

test.each(noticeTypeNames)("a mail of type %s has the platform's look and asks no other host", async (type) => {
  const link = 'https://app.example/?a=1&b="x"';
  const unsubscribeUrl = "https://api.example/unsubscribe/1.x";
  const { subject, text, html, pictures } = await write({ type, ...hostile, link }, unsubscribeUrl);
  expect(subject).toBe(hostile.title);
  for (const part of [hostile.title, hostile.body, link, unsubscribeUrl]) expect(text).toContain(part);
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt; {{name}}</h1>");
  expect(html).toContain("A &amp; B");
  expect(html).toContain('href="https://app.example/?a=1&amp;b=&quot;x&quot;"');
  expect(html).toContain('bgcolor="#7c2d12"');
  expect(html).not.toContain("<script");
  expect([...html.matchAll(/src="([^"]*)"|url\(/g)].map(([, source]) => source)).toEqual(["cid:logo"]);
  expect(pictures).toMatchObject([{ name: "logo", png: expect.objectContaining({ length: expect.any(Number) }) }]);
});

test("a mail that cannot be switched off has no link for that", async () => {
  const { html, text } = await write({ type: "purchase_receipt", ...hostile, link: null }, null);
  expect(html + text).not.toContain("Switch off");
});

test("an announcement is Markdown, and its pictures are left out", async () => {
  const body =
    "**Live** on [Friday](https://example.com/)\n\n![pixel](https://tracker.example/p.png)<img src=x onerror=y>";
  const mail = { type: "announcement" as const, title: "News", body, link: null };
  const { html, text } = await write(mail, "https://api.example/unsubscribe/1.x");
  expect(html).toContain('<strong>Live</strong> on <a href="https://example.com/">Friday</a>');
  expect(html).not.toMatch(/tracker|onerror/);
  expect(text).toContain(body);
});
