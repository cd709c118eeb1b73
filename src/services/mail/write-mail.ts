import { readFileSync } from "node:fs";
import { type Brand, createBrand } from "@lyceum/certificate-pdf/brand";
import type { Config } from "../../config.js";
import { escapeHtml, fillHtml } from "../../lib/escape-html.js";
import type { Mail } from "../../models/notices/mail.js";
import type { OutgoingMail } from "../../providers/mail.js";
import type { Line } from "../invoices/describe-invoice.js";
import { type NoticeType, noticeTypes } from "../notices/notice-types.js";
import { type MailContent, mailMarkdown } from "./mail-markdown.js";
import type { MailDetails } from "./read-mail-details.js";

const readPart = (file: string): string => readFileSync(new URL(`./template/${file}`, import.meta.url), "utf8");
const [frame, style, button] = [readPart("mail.html"), readPart("style.css"), readPart("button.html")];

/** Twice the size at which the logo is shown, for dense screens. */
const logoPixels = 64;

type MailText = Pick<Mail, "userId" | "title" | "body" | "link" | "cause"> & { readonly type: NoticeType };

/** Writes a mail in the look of the platform. Text and HTML come from the same facts. */
export type WriteMail = (
  mail: MailText,
  unsubscribeUrl: OutgoingMail["unsubscribeUrl"],
) => Promise<Omit<OutgoingMail, "id" | "to" | "unsubscribeUrl">>;

interface WriterOptions {
  /** The page of the frontend where a user chooses mails. */
  readonly preferencesUrl?: string | null;
  readonly readDetails?: (mail: MailText) => Promise<MailDetails>;
}

/** Creates the writer of mails. It draws the logo with its first mail. */
export function createMailWriter(
  platform: Config["platform"],
  { preferencesUrl = null, readDetails = async () => ({}) }: WriterOptions = {},
): WriteMail {
  const brand = createBrand(platform);
  let logo: Promise<Buffer> | undefined;
  /** The last Markdown and its content, because an announcement is the same text for all learners. */
  let rendered: { markdown: string; content: MailContent } | undefined;

  async function contentOf({ type, body }: MailText): Promise<MailContent> {
    if (!noticeTypes[type].mail.isMarkdown) return paragraphs(body);
    if (rendered?.markdown !== body) {
      rendered = { markdown: body, content: (await mailMarkdown(body)) ?? paragraphs(body) };
    }
    return rendered.content;
  }

  return async (mail, unsubscribeUrl) => {
    logo ??= drawLogo(brand);
    const { fromName, attachments, ...details } = await readDetails(mail);
    const { link, title } = mail;
    const { action, reason } = noticeTypes[mail.type].mail;
    const { main } = brand.palette;
    const heading = details.announcement?.title ?? title;
    const { html: lead, text: leadText } = leadOf(details);
    const content = await contentOf(mail);
    const added = describe(details);
    const settings = [
      ...(unsubscribeUrl === null ? [] : [{ label: "Switch off mails of this kind", url: unsubscribeUrl }]),
      ...(preferencesUrl === null ? [] : [{ label: "Choose your mails", url: preferencesUrl }]),
    ];
    const parts = {
      style: `<style>${style}${linkColors(brand)}</style>`,
      lead,
      heading: `<h1 dir="auto" style="margin: 0 0 14px; font-size: 22px; line-height: 1.3">${isolate(heading)}</h1>`,
      content: [content, ...added].map(({ html }) => html).join("\n"),
      button: link === null ? "" : fillHtml(button, { link, action, main }),
      settings: settings.map((target) => fillHtml('<br><a href="{{url}}">{{label}}</a>', target)).join(""),
    };
    const html = fillHtml(frame, { title, reason, main, name: brand.name }).replace(
      /<!-- (\w+) -->/g,
      (mark, name: string) => (name in parts ? parts[name as keyof typeof parts] : mark),
    );
    const text = [
      ...(leadText ? [leadText] : []),
      heading,
      ...[content, ...added].map((part) => part.text),
      ...(link === null ? [] : [`${action}: ${link}`]),
      [`${brand.name}. ${reason}`, ...settings.map(({ label, url }) => `${label}: ${url}`)].join("\n"),
    ].join("\n\n");
    return {
      subject: title,
      text,
      html,
      pictures: [{ name: "logo", png: await logo }],
      ...(fromName !== undefined && { fromName }),
      ...(attachments && { attachments }),
    };
  };
}

/** Who announces something, in the first line of the mail. */
function leadOf({ announcement }: MailDetails): MailContent {
  if (!announcement) return { html: "", text: "" };
  const { educator, courseTitle } = announcement;
  const line = '<p style="margin: 0 0 8px">Announcement by <bdi>{{educator}}</bdi> in <bdi>“{{courseTitle}}”</bdi></p>';
  return {
    html: fillHtml(line, { educator, courseTitle }),
    text: `Announcement by ${educator} in “${courseTitle}”`,
  };
}

/** Lines and links below the text. */
function describe({ references = [], amounts = [], links = [] }: MailDetails): MailContent[] {
  return [
    ...[references, amounts].filter(({ length }) => length > 0).map((lines) => table(lines, lines === amounts)),
    ...(links.length > 0 ? [linksOf(links)] : []),
  ];
}

const cell = "padding: 4px 0; vertical-align: top; overflow-wrap: anywhere";

/** A table of labels and values. Amounts stand at the right edge, under a line. */
function table(lines: readonly Line[], isAmounts: boolean): MailContent {
  const align = isAmounts ? "right" : "left";
  const rows = lines.map(({ label, value, isTotal }) => {
    const look = isTotal ? "; font-weight: bold; border-top: 1px solid #8a9a9a" : "";
    return (
      `<tr><th scope="row" align="left" width="${isAmounts ? "62%" : "30%"}" ` +
      `style="${cell}; padding-right: 12px${look || "; font-weight: normal"}">${bdi(label)}</th>` +
      `<td align="${align}" style="${cell}${look}">${bdi(value)}</td></tr>`
    );
  });
  const start = `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin: 0 0 14px; table-layout: fixed">`;
  return {
    html: `${start}\n${rows.join("\n")}\n</table>`,
    text: lines.map(({ label, value }) => `${label}: ${value.replaceAll("\n", "\n  ")}`).join("\n"),
  };
}

function linksOf(links: NonNullable<MailDetails["links"]>): MailContent {
  const anchors = links.map((target) => fillHtml('<a href="{{url}}">{{label}}</a>', target));
  return {
    html: `<p style="margin: 0 0 14px">${anchors.join("<br>\n")}</p>`,
    text: links.map(({ label, url }) => `${label}: ${url}`).join("\n"),
  };
}

/** Plain text as HTML. An empty line parts paragraphs. */
const paragraphs = (text: string): MailContent => ({
  html: text
    .split(/\n{2,}/)
    .map((paragraph) => `<p dir="auto" style="margin: 0 0 14px">${isolate(paragraph)}</p>`)
    .join("\n"),
  text,
});

const breakLines = (html: string): string => html.replaceAll("\n", "<br>");

/** A value that has its own direction of writing. */
const bdi = (text: string): string => `<bdi>${breakLines(escapeHtml(text))}</bdi>`;

/** Sets the “title” in each line apart, so that its direction of writing does not move what stands beside it. */
const isolate = (text: string): string => breakLines(escapeHtml(text).split("\n").map(isolateQuoted).join("\n"));

function isolateQuoted(line: string): string {
  const [from, to] = [line.indexOf("“"), line.lastIndexOf("”") + 1];
  return from < 0 || to <= from ? line : `${line.slice(0, from)}<bdi>${line.slice(from, to)}</bdi>${line.slice(to)}`;
}

/** Links are in the platform's colour, which is lighter on dark ground. */
const linkColors = ({ palette: { main, light } }: Brand): string =>
  `.main a { color: ${main}; }\n@media (prefers-color-scheme: dark) { .main a { color: ${light}; } }\n`;

/** Draws the logo in white on the platform's colour, so that it shows on light and dark ground. Mail programs show no SVG. */
async function drawLogo({ mark, palette }: Brand): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  const ground = fillHtml(
    '<svg xmlns="http://www.w3.org/2000/svg" width="{{side}}" height="{{side}}" viewBox="0 0 32 32">' +
      '<rect width="32" height="32" rx="7" fill="{{main}}"/>' +
      '<path transform="translate(5 5) scale({{scale}})" fill="#ffffff" d="{{path}}"/></svg>',
    { side: String(logoPixels), main: palette.main, scale: String(22 / mark.size), path: mark.path },
  );
  return sharp(Buffer.from(ground)).png().toBuffer();
}
