import type { SelectorDefinition } from "html-to-text";
import type sanitizeHtml from "sanitize-html";

/** A text as HTML and as prose. */
export interface MailContent {
  readonly html: string;
  readonly text: string;
}

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"];

/** Elements that take the direction of their own text. Text inside a further such element does not count for them. */
const blocks = new Set(["p", "li", "table", "td", "th", "pre", "blockquote", "details", "summary", ...headings]);

/** Most mail programs drop style sheets, or classes. So the look of these elements is inline. */
const cell = "border: 1px solid #8a9a9a; padding: 6px 10px; overflow-wrap: normal; word-break: normal";
const list = "margin: 0 0 14px; padding: 0 28px";
const styles: Readonly<Record<string, string>> = {
  p: "margin: 0 0 14px",
  ul: list,
  ol: list,
  table: "border-collapse: collapse; margin: 0 0 14px",
  td: cell,
  th: cell,
  pre: "white-space: pre-wrap",
  blockquote: "margin: 0 0 14px; border-left: 3px solid #8a9a9a; padding-left: 12px",
};

/** How the prose shows elements, without marks that only Markdown has. */
const prose: SelectorDefinition[] = [
  ...headings.map((selector) => ({ selector, options: { uppercase: false } })),
  { selector: "a", options: { noAnchorUrl: true, hideLinkHrefIfSameAsText: true } },
  { selector: "a.footnote-backref", format: "skip" },
  { selector: "blockquote", format: "block" },
  { selector: "summary", format: "block" },
  { selector: "ul", options: { itemPrefix: " • " } },
  { selector: "table", format: "dataTable", options: { uppercaseHeaderCells: false } },
];

/** Renders Markdown for a mail. @returns undefined when the HTML would be too long. */
export async function mailMarkdown(markdown: string): Promise<MailContent | undefined> {
  const { markdownToHtml } = await import("../lessons/markdown-to-html.js");
  const [{ default: sanitize }, { convert }] = await Promise.all([import("sanitize-html"), import("html-to-text")]);
  const page = markdownToHtml(markdown);
  if (page === undefined) return undefined;
  const allowedTags = [...sanitize.defaults.allowedTags, "del", "ins", "details", "summary"];
  const html = sanitize(page, { allowedTags, ...createRules() });
  const text = convert(html, { wordwrap: false, selectors: prose });
  // A wide table scrolls by itself. The sanitiser has escaped every other "<".
  const scrolling = html
    .replaceAll("<table", '<div tabindex="0" style="overflow-x: auto"><table')
    .replaceAll("</table>", "</table></div>");
  return { html: scrolling, text };
}

/** Rules that bring a page into the form of a mail, which loads nothing and has no controls. The page is sanitised before. */
function createRules(): sanitizeHtml.IOptions {
  const open = { a: 0, li: 0 };
  const count = (step: 1 | -1) => (name: string) => {
    if (name === "a" || name === "li") open[name] += step;
  };
  return {
    allowedAttributes: false,
    parseStyleAttributes: false,
    onOpenTag: count(1),
    onCloseTag: count(-1),
    transformTags: {
      input: (_, { checked }) => ({ tagName: "span", attribs: {}, text: checked === undefined ? "☐" : "☑" }),
      img(_, { src = "", alt = "" }) {
        const text = alt.trim() || "Picture";
        // A link in a link would end the outer one.
        if (open.a > 0 || src === "") return { tagName: "span", attribs: {}, text };
        return { tagName: "a", attribs: { href: src, rel: "noopener noreferrer" }, text };
      },
      "*": (tagName, attribs) => {
        const style = styles[tagName];
        const isBlock = blocks.has(tagName) && !(tagName === "p" && open.li > 0);
        const dir = isBlock ? { dir: "auto" } : {};
        return { tagName, attribs: { ...dir, ...attribs, ...(style && { style }) } };
      },
    },
  };
}
