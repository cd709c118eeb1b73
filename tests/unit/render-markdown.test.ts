import { expect, test } from "vitest";
import { createMarkdownRenderer } from "../../src/services/courses/render-markdown.js";

const render = createMarkdownRenderer();

test.each([
  ["# Title\n\n*a* **b** `c` ~~d~~", "<h1>Title</h1>\n<p><em>a</em> <strong>b</strong> <code>c</code> <s>d</s></p>"],
  ["[a](https://a.example)", '<p><a href="https://a.example" rel="noopener noreferrer">a</a></p>'],
  ["![a](https://a.example/b.png)", '<p><img src="https://a.example/b.png" alt="a" /></p>'],
  ["```ts\na < b\n```", '<pre><code class="language-ts">a &lt; b\n</code></pre>'],
  ["<details><summary>a</summary>b</details>", "<details><summary>a</summary>b</details>"],
])("%j is rendered", async (markdown, html) => {
  expect(await render(markdown)).toBe(html);
});

test("the cells of a table keep their alignment without a style", async () => {
  expect(await render("| a |\n| --: |\n| 1 |")).toContain('<td align="right">1</td>');
});

const table = (columns: number, rows: string) => `${"|a".repeat(columns)}|\n${"|-".repeat(columns)}|\n${rows}`;

test("a long table is rendered", async () => {
  const html = await render(table(20, `${"|some text".repeat(20)}|\n`.repeat(95)));
  expect(html.match(/<td>some text<\/td>/g)).toHaveLength(20 * 95);
});

test.each([
  ["short rows", table(30, "x\n".repeat(9_900))],
  ["short rows in a quote", table(30, "x\n".repeat(6_600)).replace(/^/gm, "> ")],
  ["short rows after a list's mark", `1. ${table(30, "x\n".repeat(9_900)).replaceAll("\n", "\n   ")}`],
  ["short rows between carriage returns", table(30, "x\n".repeat(9_900)).replaceAll("\n", "\r")],
  ["very wide short rows", table(2_000, "x\n".repeat(5_900))],
  ["many tables", `${table(25, "x\n".repeat(50))}\n`.repeat(100)],
  ["rows of empty cells", table(1, "|\n".repeat(9_990))],
])("a text of 20,000 characters that makes too many cells keeps its words without tables: %s", async (_name, text) => {
  const html = await render(text.slice(0, 20_000));
  expect(html.match(/<t[dh]\b/g)).toBeNull();
  expect(html.length).toBeLessThan(10 * text.length);
});

/** Hostile inputs, none of which may leave anything that runs or loads a foreign page. */
const hostile = [
  "<script>alert(1)</script>",
  "<ScRiPt src=https://evil.example/x.js></sCrIpT>",
  "<script>alert(1)",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<img src=x onerror=alert(1)>",
  "<img/src=x/onerror=alert(1)>",
  '<img src="x" onerror\n=\n"alert(1)">',
  "<svg onload=alert(1)><script>alert(1)</script></svg>",
  "<svg><animate onbegin=alert(1) attributeName=x></svg>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  "<style>body{background:url(javascript:alert(1))}</style>",
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" &#106;avascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](javascript&colon;alert(1))",
  "[x](&#x6A;avascript:alert(1))",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "![x](javascript:alert(1))",
  '![x](https://a.example/"onerror="alert(1))',
  "[x]: javascript:alert(1)\n\n[x]",
  "<javascript:alert(1)>",
  "<iframe src=https://evil.example></iframe>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<object data=https://evil.example></object>",
  "<embed src=https://evil.example>",
  "<base href=https://evil.example>",
  "<meta http-equiv=refresh content='0;url=https://evil.example'>",
  "<link rel=stylesheet href=https://evil.example/x.css>",
  "<form action=https://evil.example><button formaction=javascript:alert(1)>x</button></form>",
  "<input autofocus onfocus=alert(1)>",
  "<video><source onerror=alert(1)></video>",
  "<details open ontoggle=alert(1)>x</details>",
  "<!--><script>alert(1)</script>-->",
  "```\n</code></pre><script>alert(1)</script>\n```",
  '```"><script>alert(1)</script>\nx\n```',
  "<textarea><script>alert(1)</script></textarea>",
  "<template><script>alert(1)</script></template>",
  '<p id="cookie" name="cookie" onclick="alert(1)">x</p>',
];

const allowedTags = new Set(
  `h1 h2 h3 h4 h5 h6 p a img em strong code pre s del ins br hr ul ol li blockquote table thead tbody tr th td details
  summary b i u div span sub sup`.split(/\s+/),
);

test.each(hostile)("%j leaves nothing that runs", async (markdown) => {
  const html = await render(markdown);
  for (const [, tag = "", attributes = ""] of html.matchAll(/<\/?([a-z0-9]+)((?:\s[^<>]*)?)>/gi)) {
    expect(allowedTags).toContain(tag.toLowerCase());
    for (const [, name = "", value = ""] of attributes.matchAll(/([^\s=/]+)(?:="([^"]*)")?/g)) {
      expect(["href", "src", "alt", "title", "rel", "class", "start", "align", "width", "height"]).toContain(name);
      if (name === "href" || name === "src") expect(value).not.toMatch(/^\s*(?!https?:|mailto:)[a-z&#;\s]*:/i);
    }
  }
  // Whatever is left of the input is escaped.
  expect(html.replace(/<\/?[a-z0-9]+(?:\s[^<>]*)?>/gi, "")).not.toMatch(/[<>]/);
});
