import MarkdownIt from "markdown-it";
import sanitizeHtml from "sanitize-html";

/** Deeper elements are dropped. The time for open brackets grows with it. */
const maxNesting = 60;

// The sanitiser decides about HTML.
const options = { html: true, maxNesting };
const withTables = new MarkdownIt(options);
const withoutTables = new MarkdownIt(options).disable("table");

/** A table of 20,000 characters could have 65,000 cells, because short rows are filled up. 6,000 take about 50 ms. */
const maxCells = 6_000;

/** Counts how many cells the tables of a text have at most. */
function tableCells(markdown: string): number {
  const parts = markdown.split(/(?:\r\n?|\n)\s*[\r\n]/);
  return parts.reduce((cells, part) => {
    const lines = part.split(/[\r\n]+/);
    // A row of dashes, colons and bars begins a table, in quotes and lists too.
    const columns = lines.map((line) => (/^[\s|:>*+\d.)-]*$/.test(line) ? line.split("|").length : 0));
    return cells + lines.length * columns.reduce((most, one) => Math.max(most, one), 0);
  }, 0);
}

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
  nestingLimit: maxNesting,
  transformTags: { a: sanitizeHtml.simpleTransform("a", { rel: "noopener noreferrer" }), td: cell, th: cell },
};

/** Renders Markdown to HTML that a page can show. */
export function markdownToHtml(markdown: string): string {
  const markdownIt = tableCells(markdown) > maxCells ? withoutTables : withTables;
  return sanitizeHtml(markdownIt.render(markdown), rules).trim();
}
