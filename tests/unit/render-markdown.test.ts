import { expect, test } from "vitest";
import { markdownToHtml, maxHtmlBytes } from "../../src/services/lessons/markdown-to-html.js";

const rel = 'rel="noopener noreferrer"';

test.each([
  [
    "# Title\n\n*a* **b** `c` ~~d~~",
    '<h1 id="user-content-title">Title</h1>\n<p><em>a</em> <strong>b</strong> <code>c</code> <s>d</s></p>',
  ],
  ["[a](https://a.example)", `<p><a href="https://a.example" ${rel}>a</a></p>`],
  ["![a](https://a.example/b.png)", '<p><img src="https://a.example/b.png" alt="a" /></p>'],
  ["```ts\na < b\n```", '<pre><code class="language-ts">a &lt; b\n</code></pre>'],
  ["<details open><summary>a</summary>b</details>", "<details open><summary>a</summary>b</details>"],
  ['<td colspan=2 rowspan="3">a</td>', '<td colspan="2" rowspan="3">a</td>'],
  ['<div dir="rtl" lang="ar" title="t">a</div>', '<div dir="rtl" lang="ar" title="t">a</div>'],
  ['<ol start="3" type="a"><li>a</li></ol>', '<ol start="3" type="a"><li>a</li></ol>'],
  ["[a](tel:+911)", `<p><a href="tel:+911" ${rel}>a</a></p>`],
  [
    "See https://a.example/b?c, README.md and d@a.example.",
    `<p>See <a href="https://a.example/b?c" ${rel}>https://a.example/b?c</a>, README.md and ` +
      `<a href="mailto:d@a.example" ${rel}>d@a.example</a>.</p>`,
  ],
  [
    "- [ ] a\n- [x] *b*\n- [x]c",
    '<ul>\n<li><input type="checkbox" disabled /> a</li>\n<li><input type="checkbox" disabled checked /> <em>b</em>' +
      "</li>\n<li>[x]c</li>\n</ul>",
  ],
])("%j is rendered", (markdown, html) => {
  expect(markdownToHtml(markdown)).toBe(html);
});

test("links lead to headings, anchors and footnotes of the text, under ids of their own", () => {
  const markdown = `# What is \`x\`?\n\n## Über\n\n## Über\n\n<a name="n"></a><a id="i"></a>
<h2 id="own">Own</h2>\n\nA[^note] and [^note].\n\n[^note]: Why\n
${["what-is-x", "über", "über-1", "n", "i", "own", "user-content-own"].map((id) => `[to](#${id})`).join("\n")}`;
  const html = markdownToHtml(markdown) ?? "";
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  const targets = [...html.matchAll(/ href="#([^"]*)"/g)].map(([, target = ""]) => decodeURIComponent(target));
  expect(ids).toHaveLength(new Set(ids).size);
  for (const id of ids) expect(id).toMatch(/^user-content-(?!user-content-)/);
  expect(targets).toHaveLength(7 + 2 + 2);
  expect(ids).toEqual(expect.arrayContaining(targets));
  // Both texts can be shown on one page.
  expect(markdownToHtml(`${markdown}!`)).not.toContain(ids.find((id) => id?.includes("-fn-")));
});

test("the cells of a table keep their alignment without a style", () => {
  expect(markdownToHtml("| a |\n| --: |\n| 1 |")).toContain('<td align="right">1</td>');
});

const table = (columns: number, rows: string) => `${"|a".repeat(columns)}|\n${"|-".repeat(columns)}|\n${rows}`;

test("a long table is rendered", () => {
  const html = markdownToHtml(table(20, `${"|some text".repeat(20)}|\n`.repeat(95)));
  expect(html?.match(/<td>some text<\/td>/g)).toHaveLength(20 * 95);
});

test.each([
  ["many lines beside a line of bars", `${"line\n".repeat(300)}\`\`\`\n${"|".repeat(70)}\n\`\`\`\n`],
  ["lines of no-break spaces after a table", table(60, "\u00a0\n".repeat(9_000))],
])("%s are rendered", (_name, text) => {
  expect(markdownToHtml(text)).toBeDefined();
});

const address = `https://a.example/${"x".repeat(9_870)}`;

test.each([
  ["a long address, used often", `[r]: ${address}\n\n${"[r] ".repeat(2_500)}`],
  ["a long address of pictures, used often", `[r]: ${address}\n\n${"![][r]".repeat(1_600)}`],
  ["short rows", table(30, "x\n".repeat(9_900))],
  ["short rows in a quote", table(30, "x\n".repeat(6_600)).replace(/^/gm, "> ")],
  ["short rows after a list's mark", `1. ${table(30, "x\n".repeat(9_900)).replaceAll("\n", "\n   ")}`],
  ["short rows between carriage returns", table(30, "x\n".repeat(9_900)).replaceAll("\n", "\r")],
  ["very wide short rows", table(2_000, "x\n".repeat(5_900))],
  ["many tables", `${table(25, "x\n".repeat(50))}\n`.repeat(100)],
  ["rows of empty cells", table(1, "|\n".repeat(9_990))],
  ["tables of many short rows", `${table(181, "x\n".repeat(362))}\n`.repeat(13)],
  [
    "the same in a footnote that nothing names",
    `[^a]: b\n\n${`${table(181, "x\n".repeat(362))}\n`.repeat(13)}`.replaceAll("\n", "\n    "),
  ],
  ["a footnote that is named often", `[^a]: b\n\n${"[^a]".repeat(4_900)}`],
  ["many headings of one name", "# \u{1d49c}\n".repeat(6_000)],
])("a text of 20,000 characters that makes too much HTML is not rendered: %s", (_name, text) => {
  const html = markdownToHtml([...text].slice(0, 20_000).join(""));
  expect(html).toBeUndefined();
});

test.each(["[^", "^[", "[", "![", "[a](", "http://", "a@", "<!--", "> ", "[^a]: ", "# a\n", '"', "<a id=x>"])(
  "20,000 characters of %j are rendered within the bound",
  (part) => {
    const html = markdownToHtml(`[^a]: b\n\n${part.repeat(20_000)}`.slice(0, 20_000));
    expect(Buffer.byteLength(html ?? "")).toBeLessThanOrEqual(maxHtmlBytes);
  },
);

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
  '<a id="x" name="y" onclick="alert(1)" style="color:red" target="_blank">x</a>',
  "<a id='\"onclick=\"alert(1)'>x</a>",
  "<a href='#\"onclick=\"alert(1)'>x</a>",
  '# x"onclick="alert(1)',
  '<h1 id="__proto__" title="<script>alert(1)</script>">x</h1>',
  '<input type="checkbox" onclick="alert(1)" name="a" value="b" autofocus>',
  '<input type="image" src="x" onerror="alert(1)">',
  "- [x] <img src=x onerror=alert(1)>",
  "[^a]\n\n[^a]: <script>alert(1)</script>",
  '[^"onclick="alert(1)]\n\n[^"onclick="alert(1)]: x',
  "javascript:alert(1) http://a.example/<script>",
  'http://a.example/"onclick="alert(1)',
  '<td colspan="2" onclick="alert(1)" background="javascript:alert(1)">x</td>',
  '<p dir="rtl" lang="\'>" onclick="alert(1)">x</p>',
  '<ol type="a" onclick="alert(1)"><li id="x" onclick="alert(1)">x</li></ol>',
  "<section onclick=alert(1) class=evil>x</section>",
];

const allowedTags = new Set(
  `h1 h2 h3 h4 h5 h6 p a img em strong code pre s del ins br hr ul ol li blockquote table thead tbody tr th td details
  summary b i u div span sub sup section input`.split(/\s+/),
);

const allowedAttributes = new Set(
  `href src alt title rel class start align width height id colspan rowspan dir lang type open disabled checked`.split(
    " ",
  ),
);

test.each(hostile)("%j leaves nothing that runs", (markdown) => {
  const html = markdownToHtml(markdown) ?? "";
  for (const [, tag = "", attributes = ""] of html.matchAll(/<\/?([a-z0-9]+)((?:\s[^<>]*)?)>/gi)) {
    expect(allowedTags).toContain(tag.toLowerCase());
    if (tag === "input") expect(attributes).toMatch(/^ type="checkbox" disabled( checked)? \/$/);
    for (const [, name = "", value = ""] of attributes.matchAll(/([^\s=/]+)(?:="([^"]*)")?/g)) {
      expect(allowedAttributes).toContain(name);
      if (name === "href" || name === "src") expect(value).not.toMatch(/^\s*(?!https?:|mailto:|tel:)[a-z&#;\s]*:/i);
      if (name === "id") expect(value).toMatch(/^user-content-/);
    }
  }
  // Whatever is left of the input is escaped.
  expect(html.replace(/<\/?[a-z0-9]+(?:\s[^<>]*)?>/gi, "")).not.toMatch(/[<>]/);
});
