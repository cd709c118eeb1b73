/** A picture for a course card: its title over a gradient of its two colours. 1280 × 720. */
export function thumbnail(title: string, [from, to]: readonly [string, string]): Buffer {
  const lines = wrap(title, 18);
  const text = lines
    .map(
      (line, i) =>
        `<text x="96" y="${400 + (i - (lines.length - 1) / 2) * 104}" font-size="84">${escapeXml(line)}</text>`,
    )
    .join("");
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720" width="1280" height="720">
<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>
<rect width="1280" height="720" fill="url(#g)"/>
<circle cx="1120" cy="120" r="220" fill="#fff" opacity=".08"/><circle cx="1180" cy="600" r="320" fill="#fff" opacity=".07"/>
<rect x="96" y="120" width="96" height="10" rx="5" fill="#fff" opacity=".9"/>
<g fill="#fff" font-family="Segoe UI, Helvetica, Arial, sans-serif" font-weight="700">${text}</g>
</svg>
`,
  );
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const escapeXml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
