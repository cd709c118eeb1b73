import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Brand } from "@lyceum/certificate-pdf/brand";
import { fillHtml } from "../lib/escape-html.js";

/** Reads a file that lies beside the frame of the pages. */
export const readPublicPart = (file: string): string =>
  readFileSync(new URL(`./public-page/${file}`, import.meta.url), "utf8");
const [frame, style] = [readPublicPart("page.html"), readPublicPart("style.css")];

interface PublicPage {
  readonly title: string;
  /** What the page is for, beside the name of the platform. */
  readonly kind: string;
  /** HTML with places for `values`. */
  readonly content: string;
  /** Further HTML of the head. */
  readonly head?: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** A page that anyone may open: a whole HTML document without scripts or outside resources; every value is escaped. */
export function publicPage(
  { title, kind, content, head = "", values = {} }: PublicPage,
  { name, mark, palette }: Brand,
): string {
  const styled = frame.replace("{{style}}", `<style>${styleOf(palette)}</style>`);
  const template = styled.replace("{{content}}", content).replace("{{head}}\n", head);
  return fillHtml(template, { ...values, title, kind, name, markSize: String(mark.size), markPath: mark.path });
}

function styleOf(palette: Brand["palette"]): string {
  const colors = Object.entries(palette).map(([name, color]) => `--brand-${name}: ${color};`);
  return `:root { ${colors.join(" ")} }\n${style}`;
}

/** For a Content-Security-Policy: `style-src '…'` with this source allows the style of the pages, and nothing else. */
export const publicPageStyleHash = ({ palette }: Brand): string =>
  `sha256-${createHash("sha256").update(styleOf(palette)).digest("base64")}`;
