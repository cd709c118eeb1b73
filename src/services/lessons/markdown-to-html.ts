import { createHash } from "node:crypto";
import GithubSlugger from "github-slugger";
import MarkdownIt, { type StateBlock, type StateCore, type StateInline, type Token } from "markdown-it";
import footnotes from "markdown-it-footnote";
import sanitizeHtml from "sanitize-html";

/** Bytes of the HTML of one text in UTF-8. */
export const maxHtmlBytes = 200_000;

/** Deeper elements are dropped. The time for open brackets grows with it. */
const maxNesting = 60;

/** Each token makes two bytes or more. Short rows of a table are filled up, so that a short text can make very many. */
const maxTokens = maxHtmlBytes / 2;

/** Characters of `[^label]`. Without a bound, each `[^` would search the rest of the text for its end. */
const maxFootnoteLabel = 200;

/** Set before every id, so that a text cannot take the ids of the page around it. */
const idPrefix = "user-content-";

// The sanitiser decides about HTML. An address needs its scheme, because `README.md` and `main.rs` could be hosts.
const markdownIt = new MarkdownIt({ html: true, linkify: true, maxNesting }).use(footnotes);
markdownIt.linkify.set({ fuzzyLink: false });
markdownIt.disable("footnote_inline");
markdownIt.inline.ruler.before("footnote_ref", "unfinished_footnote", skipUnfinishedFootnote);
markdownIt.block.ruler.before("table", "too_long", skipRest);
markdownIt.core.ruler.push("heading_ids", addHeadingIds);
markdownIt.core.ruler.push("task_lists", addCheckboxes);

function skipUnfinishedFootnote(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (!src.startsWith("[^", pos) || src.slice(pos, pos + maxFootnoteLabel).includes("]")) return false;
  if (!silent) state.pending += "[";
  state.pos += 1;
  return true;
}

/** Ends a text that has too many tokens already. One table more is bounded by the parser. */
function skipRest(state: StateBlock, _start: number, end: number, silent: boolean): boolean {
  if (silent || state.tokens.length <= maxTokens) return false;
  state.env.isTooLong = true;
  state.line = end;
  return true;
}

/** Gives headings the ids that GitHub gives them. */
function addHeadingIds({ tokens }: StateCore): void {
  const slugger = new GithubSlugger();
  for (const [at, token] of tokens.entries()) {
    if (token.type !== "heading_open") continue;
    const words = tokens[at + 1]?.children?.filter(({ type }) => type === "text" || type === "code_inline") ?? [];
    token.attrSet("id", slugger.slug(words.map(({ content }) => content).join("")));
  }
}

/** Turns `[ ]` and `[x]` at the start of a list's item into a checkbox. */
function addCheckboxes({ tokens, Token }: StateCore): void {
  for (const [at, { children }] of tokens.entries()) {
    const [first] = children ?? [];
    if (first?.type !== "text" || tokens[at - 2]?.type !== "list_item_open") continue;
    const [mark, state] = /^\[([ x])\](?= )/i.exec(first.content) ?? [];
    if (mark === undefined) continue;
    first.content = first.content.slice(mark.length);
    const checkbox = new Token("html_inline", "", 0);
    checkbox.content = `<input type="checkbox"${state === " " ? "" : " checked"}>`;
    children?.unshift(checkbox);
  }
}

/** Bytes of a mention of a footnote, and of the link back to it. Each mention makes both. */
const footnoteBytes: Readonly<Record<string, number>> = {
  footnote_ref:
    `<sup class="footnote-ref"><a href="#${idPrefix}fn-12345678-1" id="${idPrefix}fnref-12345678-1">[1]</a></sup>`
      .length,
  footnote_anchor: ` <a href="#${idPrefix}fnref-12345678-1" class="footnote-backref">↩</a>`.length,
};

/** Counts bytes that the HTML of tokens has at least. An address counts each time it is used. */
function leastBytes(tokens: readonly Token[]): number {
  let bytes = 0;
  for (const { type, tag, content, attrs, children } of tokens) {
    bytes += tag.length + (footnoteBytes[type] ?? 0) + (children ? leastBytes(children) : content.length);
    for (const [name, value] of attrs ?? []) bytes += name.length + String(value).length;
    if (bytes > maxHtmlBytes) break;
  }
  return bytes;
}

const withPrefix = (id: string): string => (id.startsWith(idPrefix) ? id : idPrefix + id);

const link: sanitizeHtml.Transformer = (tagName, { name, id = name, href, ...others }) => ({
  tagName,
  attribs: {
    ...others,
    ...(href && { href: /^#./.test(href) ? `#${withPrefix(href.slice(1))}` : href }),
    ...(id && { id }),
    rel: "noopener noreferrer",
  },
});

const cell: sanitizeHtml.Transformer = (tagName, { style = "", ...others }) => {
  const [, align] = /^text-align:(left|center|right)$/.exec(style) ?? [];
  return { tagName, attribs: { ...others, ...(align && { align }) } };
};

const checkbox: sanitizeHtml.Transformer = (tagName, { type = "", checked }) => ({
  tagName,
  attribs: { type, disabled: "", ...(checked !== undefined && { checked: "" }) },
});

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"];

const rules: sanitizeHtml.IOptions = {
  allowedTags: [...sanitizeHtml.defaults.allowedTags, "img", "input", "del", "ins", "details", "summary"],
  allowedAttributes: {
    ...Object.fromEntries(headings.map((tag) => [tag, ["id"]])),
    "*": ["dir", "lang", "title"],
    a: ["href", "id", "rel"],
    details: ["open"],
    img: ["src", "alt", "width", "height"],
    input: ["type", "disabled", "checked"],
    li: ["id"],
    ol: ["start", "type"],
    td: ["align", "colspan", "rowspan"],
    th: ["align", "colspan", "rowspan"],
    ul: ["type"],
  },
  allowedClasses: {
    a: ["footnote-backref"],
    code: ["language-*"],
    section: ["footnotes"],
    sup: ["footnote-ref"],
  },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowedSchemesByTag: { img: ["http", "https"] },
  allowProtocolRelative: false,
  nestingLimit: maxNesting,
  transformTags: {
    a: link,
    input: checkbox,
    td: cell,
    th: cell,
    "*": (tagName, { id, ...attribs }) => ({ tagName, attribs: { ...attribs, ...(id && { id: withPrefix(id) }) } }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === "input" && attribs.type !== "checkbox",
};

/**
 * Renders Markdown to HTML that a page can show. A change of the HTML needs a new `rendererVersion`.
 * @returns undefined when the HTML would have more than `maxHtmlBytes`.
 */
export function markdownToHtml(markdown: string): string | undefined {
  // Footnotes of several texts can be shown on one page.
  const env = { isTooLong: false, docId: createHash("sha256").update(markdown).digest("hex").slice(0, 8) };
  const tokens = markdownIt.parse(markdown, env);
  if (env.isTooLong || leastBytes(tokens) > maxHtmlBytes) return undefined;
  const html = sanitizeHtml(markdownIt.renderer.render(tokens, markdownIt.options, env), rules).trim();
  return Buffer.byteLength(html) > maxHtmlBytes ? undefined : html;
}
