import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";

/** Characters of texts and their HTML that a renderer keeps. */
const maxCachedCharacters = 16 * 1_048_576;

/** Renders Markdown to HTML that a page can show. */
export type RenderMarkdown = (markdown: string) => Promise<string>;

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
    const { markdownToHtml } = await import("./markdown-to-html.js");
    const html = markdownToHtml(markdown);
    cache.set(markdown, html);
    return html;
  };
}
