import { expect, test } from "vitest";
import { createMailWriter } from "../../../src/services/mail/write-mail.js";
import { noticeTypeNames } from "../../../src/services/notices/notice-types.js";
import { sampleMails, sampleWords } from "../../factories/sample-mails.js";

const platform = { name: "A & B", color: "#7c2d12", logo: undefined };
const write = createMailWriter(platform);
const hostile = { title: "<script>alert(1)</script> {{name}}", body: "One <b>\n\nTwo {{title}} $& <!-- button -->" };
const userId = "user_1";
const unsubscribeUrl = "https://api.example/unsubscribe/1.x";

/** Writes a sample of every type. */
function writeSamples(words: keyof typeof sampleWords, preferencesUrl: string | null = null) {
  const samples = Object.values(sampleMails(sampleWords[words] ?? { course: "", person: "", title: "", body: "" }));
  return Promise.all(
    samples.map(async ({ type, text, details = {} }) => {
      const writeDetails = createMailWriter(platform, { preferencesUrl, readDetails: async () => details });
      return { type, link: text.link, ...(await writeDetails({ userId, type, ...text }, unsubscribeUrl)) };
    }),
  );
}
const written = async (type: string, words = "left-to-right") => {
  const mail = (await writeSamples(words)).find((sample) => sample.type === type);
  if (!mail) throw new Error(`there is no ${type}`);
  return mail;
};

test.each(noticeTypeNames)("a mail of type %s has the platform's look and asks no other host", async (type) => {
  const link = 'https://app.example/?a=1&b="x"';
  const { subject, text, html, pictures } = await write({ type, userId, ...hostile, link }, unsubscribeUrl);
  expect(subject).toBe(hostile.title);
  for (const part of [hostile.title, link, unsubscribeUrl]) expect(text).toContain(part);
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt; {{name}}</h1>");
  expect(html).toContain("A &amp; B");
  expect(html).toContain('href="https://app.example/?a=1&amp;b=&quot;x&quot;"');
  expect(html).toContain('bgcolor="#7c2d12"');
  expect(html).not.toContain("<script");
  expect([...html.matchAll(/src="([^"]*)"|url\(/g)].map(([, source]) => source)).toEqual(["cid:logo"]);
  expect(pictures).toMatchObject([{ name: "logo", png: expect.objectContaining({ length: expect.any(Number) }) }]);
});

test("what cannot be switched off has no such line, and the page of preferences ends every mail", async () => {
  const link = null;
  const plain = await write({ type: "purchase_receipt", userId, ...hostile, link }, null);
  expect(plain.text.trimEnd().endsWith("A & B. You get this mail because of your purchase.")).toBe(true);
  expect(plain.html).not.toMatch(/Switch off|Choose your mails/);
  for (const { text, html } of await writeSamples("left-to-right", "https://app.example/settings")) {
    expect(text.trimEnd().split("\n").at(-1)).toBe("Choose your mails: https://app.example/settings");
    expect(html).toContain('<a href="https://app.example/settings"');
  }
});

test("the text and the HTML of a mail have the same links, and the frontend's are those of the contract", async () => {
  const paths = new Set<string>();
  for (const { type, html, text } of await writeSamples("left-to-right")) {
    const own = [...html.matchAll(/<a [^>]*?href="(https[^"]*)"/g)].map(([, url = ""]) => url);
    for (const url of own) expect(`${type}: ${text}`).toContain(url);
    for (const url of own.filter((one) => one.startsWith("https://app.example.com"))) paths.add(new URL(url).pathname);
  }
  const id = "665f1c2ab7e4d90012ab34cd";
  const expected = [`/community/post/${id}`, `/course/${id}`, `/player/${id}`, "/become-educator", "/my-enrollments"];
  expect([...paths].sort()).toEqual([...expected, "/educator/students-enrolled"].sort());
});

test("an announcement names its course and its educator before its words, and is Markdown without outside requests", async () => {
  const { subject, fromName, html, text } = await written("announcement");
  expect([subject, fromName]).toEqual(["TypeScript in Depth: Live session on Friday", "Asha Rao via Lyceum"]);
  expect(text.split("\n")[0]).toBe("Announcement by Asha Rao in “TypeScript in Depth”");
  expect(html).toMatch(/Announcement by <bdi>Asha Rao<\/bdi> in <bdi>“TypeScript in Depth”<\/bdi>[\s\S]*<h1/);
  expect(html).toContain('<a href="https://example.com/plan.png" rel="noopener noreferrer">The plan</a>');
  expect(html).toContain('<a href="https://example.com/" rel="noopener noreferrer"><span>A badge</span></a>');
  expect(html).toMatch(/<span>☑<\/span> Chapter 1[\s\S]*<span>☐<\/span> Chapter 2/);
  expect(html).not.toMatch(/<input|<img [^>]*http/);
  const [, note = ""] = /href="#([^"]+)"/.exec(html) ?? [];
  expect(html).toContain(`id="${note}"`);
});

test("the text of an announcement is prose without the marks of Markdown", async () => {
  const { text } = await written("announcement");
  const body = text.slice(text.indexOf("Dear all"), text.indexOf("Open the course"));
  expect(body).not.toMatch(/\*\*|\[x\]|\[ \]|\| ---|!\[|\]\(|^#|^>|`/m);
  expect(body).toContain("we meet on Friday: the room [https://example.com/room].");
  expect(body).toMatch(/ • ☑ Chapter 1\n • ☐ Chapter 2/);
  expect(body).toMatch(/1 +Types +Narrowing/);
});

test("a receipt says what was bought, from whom, and what of the price was paid, and a credit note what came back", async () => {
  const receipt = await written("purchase_receipt");
  const lines = [
    ...["Invoice: INV-2627-000042", "Date: 28 November 2026", "Order: order_QkY4Tb7wNv1Xab"],
    ...[
      "Payment: pay_QkY5Zr8pDq2Xab",
      "Seller: Lyceum Learning Pvt Ltd\n  1 School Lane\n  Bengaluru 560001\n  Tax ID ",
    ],
    ...["TypeScript in Depth: ₹3,499.00", "Discount: -₹349.90", "Coupon DIWALI-2026: -₹349.90"],
    ...["Total: ₹2,799.20", "Includes 18 % GST: ₹427.00"],
  ];
  for (const line of lines) expect(receipt.text).toContain(line);
  const refund = await written("purchase_refunded");
  expect(refund.text).toContain("₹1,000.00 was paid back.");
  for (const line of ["For invoice: INV-2627-000042", "Total paid back: ₹1,000.00"]) {
    expect(refund.text).toContain(line);
  }
  expect(refund.text).not.toContain("Discount");
});

test("words of another direction stand apart from the numbers beside them", async () => {
  const { html } = await written("new_student", "right-to-left");
  expect(html).toContain("<bdi>“مقدمة في البرمجة 2”</bdi>: 12");
  expect(html).toMatch(/<p dir="auto"[\s\S]*<bdi>/);
});

test("two courses with one announcement give two different mails, and nobody reads the title of another's post", async () => {
  const [first, second] = await Promise.all([written("announcement"), written("announcement", "right-to-left")]);
  expect(first.subject).not.toBe(second.subject);
  const accepted = await written("reply_accepted");
  expect(accepted.text + accepted.html).not.toContain("Live session");
});
