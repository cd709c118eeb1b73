import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createMailWriter } from "../../src/services/mail/write-mail.js";
import { noticeTypes } from "../../src/services/notices/notice-types.js";
import { type SampleMail, sampleMails, sampleWords } from "../factories/sample-mails.js";
import { accessibilityFaults, describeInBrowser, openPage, overflow } from "./chromium.js";

const folder = new URL("../../.pictures/mails/", import.meta.url);

const looks = [
  { name: "390", viewport: { width: 390, height: 700 }, colorScheme: "light" },
  { name: "390-dark", viewport: { width: 390, height: 700 }, colorScheme: "dark" },
  { name: "390-bare", viewport: { width: 390, height: 700 }, colorScheme: "light", isBare: true },
  { name: "1280", viewport: { width: 1280, height: 700 }, colorScheme: "light" },
] as const;

const platform = { name: "Lyceum", color: "#0f766e", logo: undefined };

/** Writes a mail, with its pictures in the HTML. */
async function writeSample({ type, text: about, details = {} }: SampleMail) {
  const preferencesUrl = "https://app.example.com/settings";
  const write = createMailWriter(platform, { preferencesUrl, readDetails: async () => details });
  const unsubscribeUrl =
    noticeTypes[type].mail.when !== "always" ? `https://api.example.com/unsubscribe/1.${type}` : null;
  const { html, text, pictures } = await write({ userId: "user_1", type, ...about }, unsubscribeUrl);
  const shown = pictures.reduce(
    (page, { name, png }) => page.replaceAll(`cid:${name}`, `data:image/png;base64,${png.toString("base64")}`),
    html,
  );
  return { type, html: shown, text };
}

describeInBrowser("mails", () => {
  test.each(Object.keys(sampleWords))(
    "every type with %s words fits a phone and a desktop, light, dark and without its style sheet",
    async (kind) => {
      mkdirSync(folder, { recursive: true });
      const words = sampleWords[kind];
      if (!words) throw new Error(`there are no ${kind} words`);
      const mails = await Promise.all(Object.values(sampleMails(words)).map(writeSample));
      for (const { name, isBare = false, ...options } of looks.map((look) => ({ isBare: false, ...look }))) {
        const page = await openPage(options);
        for (const { type, html, text } of mails) {
          const file = (ending: string) => new URL(`${type}.${kind}.${ending}`, folder);
          writeFileSync(file("html"), html);
          writeFileSync(file("txt"), text);
          await page.setContent(isBare ? html.replace(/<style>[\s\S]*?<\/style>/, "") : html);
          await page.screenshot({ path: file(`${name}.png`).pathname, fullPage: true });
          expect({ type, name, overflow: await overflow(page) }).toEqual({ type, name, overflow: 0 });
          if (name !== "390" && name !== "390-dark") continue;
          // A mail is shown inside the page of a mail program, which has the landmarks.
          const faults = (await accessibilityFaults(page)).filter((fault) => !/^(landmark-|region:)/.test(fault));
          expect({ type, name, faults }).toEqual({ type, name, faults: [] });
        }
      }
    },
    240_000,
  );
});
