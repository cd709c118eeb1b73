import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import MarkdownIt from "markdown-it";
import sanitizeHtml from "sanitize-html";

/** Characters of texts and their HTML that a renderer keeps. */
const maxCachedCharacters = 16 * 1_048_576;

/** Renders Markdown to HTML that a page can show. */
export type RenderMarkdown = (markdown: string) => Promise<string>;

// The sanitiser decides about HTML.
const markdownIt = new MarkdownIt({ html: true });

const cell: sanitizeHtml.Transformer = (tagName, { style = "" }) => {
  const [, align] = /^text-align:(left|center|right)$/.exec(style) ?? [];
  return { tagName, attribs: align ? { align } : {} };
};

const rules: sanitizeHtml.IOptions = {
  allowedTags: [...sanitizeHtml.defaults.allowedTags, "img", "del", "ins", "details", "summary"],
  allowedAttributes: {
    a: ["href", "title", "rel"],
    img: ["src", "alt", "title", "width", "height"],
    ol: ["start"],
    td: ["align"],
    th: ["align"],
  },
  allowedClasses: { code: ["language-*"] },
  allowedSchemes: ["http", "https", "mailto"],
  allowedSchemesByTag: { img: ["http", "https"] },
  allowProtocolRelative: false,
  nestingLimit: 60,
  transformTags: { a: sanitizeHtml.simpleTransform("a", { rel: "noopener noreferrer" }), td: cell, th: cell },
};

/** Creates a renderer that keeps recent results. Between two texts it lets other requests proceed. */
export function createMarkdownRenderer(): RenderMarkdown {
  const cache = new LRUCache<string, string>({
    maxSize: maxCachedCharacters,
    sizeCalculation: (html, markdown) => html.length + markdown.length + 1,
  });
  return async (markdown) => {
    const known = cache.get(markdown);
    if (known !== undefined) return known;
    await nextTurn();
    const html = sanitizeHtml(markdownIt.render(markdown), rules).trim();
    cache.set(markdown, html);
    return html;
  };
}
