import DOMPurify from "dompurify";
import MarkdownIt from "markdown-it";

const renderer = new MarkdownIt({ html: true, linkify: true });

/** Renders what an author wrote. `inline` makes no paragraphs, for a text inside of a line. */
export function Markdown({ text, inline = false }: { text: string; inline?: boolean }) {
  const unsafe = inline ? renderer.renderInline(text) : renderer.render(text);
  const html = DOMPurify.sanitize(unsafe, { FORBID_TAGS: ["style", "form"], FORBID_ATTR: ["style", "id", "name"] });
  return inline ? <span dangerouslySetInnerHTML={{ __html: html }} /> : <Html html={html} />;
}

/** Shows HTML that is sanitised already, as that of a lesson is by the server. */
export const Html = ({ html }: { html: string }) => (
  <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
);
