import { readFileSync } from "node:fs";
import { type Brand, createBrand } from "@lyceum/certificate-pdf/brand";
import type { Config } from "../../config.js";
import { escapeHtml, fillHtml } from "../../lib/escape-html.js";
import type { Mail } from "../../models/notices/mail.js";
import type { OutgoingMail } from "../../providers/mail.js";
import { type NoticeType, noticeTypes } from "../notices/notice-types.js";

const readPart = (file: string): string => readFileSync(new URL(`./template/${file}`, import.meta.url), "utf8");
const [frame, style, button] = [readPart("mail.html"), readPart("style.css"), readPart("button.html")];

/** Twice the size at which the logo is shown, for dense screens. */
const logoPixels = 64;

type MailText = Pick<Mail, "title" | "body" | "link"> & { readonly type: NoticeType };

/** Writes a mail in the look of the platform. Text and HTML come from the same facts. */
export type WriteMail = (
  mail: MailText,
  unsubscribeUrl: string | null,
) => Promise<Pick<OutgoingMail, "subject" | "text" | "html" | "pictures">>;

/** Creates the writer of mails. It draws the logo with its first mail. */
export function createMailWriter(platform: Config["platform"]): WriteMail {
  const brand = createBrand(platform);
  let logo: Promise<Buffer> | undefined;
  /** The last Markdown and its HTML, because an announcement is the same text for all learners. */
  let rendered = { markdown: "", html: "" };

  async function contentOf({ type, body }: MailText): Promise<string> {
    if (!noticeTypes[type].mail.isMarkdown) return paragraphsOf(body);
    if (rendered.markdown !== body) rendered = { markdown: body, html: await markdownContent(body) };
    return rendered.html;
  }

  return async (mail, unsubscribeUrl) => {
    logo ??= drawLogo(brand);
    const { title, body, link } = mail;
    const { action, reason } = noticeTypes[mail.type].mail;
    const { main } = brand.palette;
    const stop = "Switch off mails of this kind";
    const content = await contentOf(mail);
    const html = fillHtml(frame, { title, reason, main, name: brand.name })
      .replace("<!-- style -->", () => `<style>${style}${linkColors(brand)}</style>`)
      .replace("<!-- content -->", () => content)
      .replace("<!-- button -->", () => (link === null ? "" : fillHtml(button, { link, action, main })))
      .replace("<!-- unsubscribe -->", () =>
        unsubscribeUrl === null
          ? ""
          : fillHtml('<br><a href="{{unsubscribeUrl}}">{{stop}}</a>', { unsubscribeUrl, stop }),
      );
    const text = [
      title,
      body,
      ...(link === null ? [] : [`${action}: ${link}`]),
      [`${brand.name}. ${reason}`, ...(unsubscribeUrl === null ? [] : [`${stop}: ${unsubscribeUrl}`])].join("\n"),
    ].join("\n\n");
    return { subject: title, text, html, pictures: [{ name: "logo", png: await logo }] };
  };
}

/** Plain text as HTML. An empty line parts paragraphs. */
const paragraphsOf = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll("\n", "<br>")}</p>`)
    .join("\n");

/** Markdown as HTML without pictures, which would be outside requests. */
async function markdownContent(markdown: string): Promise<string> {
  const { markdownToHtml } = await import("../courses/markdown-to-html.js");
  const { default: sanitizeHtml } = await import("sanitize-html");
  const html = markdownToHtml(markdown);
  return html === undefined ? paragraphsOf(markdown) : sanitizeHtml(html);
}

/** Links are in the platform's colour, which is lighter on dark ground. */
const linkColors = ({ palette: { main, light } }: Brand): string =>
  `.main a { color: ${main}; }\n@media (prefers-color-scheme: dark) { .main a { color: ${light}; } }\n`;

/** Draws the logo in white on the platform's colour, so that it shows on light and dark ground. Mail programs show no SVG. */
async function drawLogo({ mark, palette }: Brand): Promise<Buffer> {
  const { Resvg } = await import("@resvg/resvg-js");
  const ground = fillHtml(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="{{main}}"/>' +
      '<path transform="translate(5 5) scale({{scale}})" fill="#ffffff" d="{{path}}"/></svg>',
    { main: palette.main, scale: String(22 / mark.size), path: mark.path },
  );
  const options = { fitTo: { mode: "width", value: logoPixels }, font: { loadSystemFonts: false } } as const;
  return new Resvg(ground, options).render().asPng();
}
