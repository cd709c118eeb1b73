import { type Box, fitText } from "./fit-text.js";
import { printableClusters, readableText, saysSomething } from "./printable-text.js";
import { type Cluster, type Run, visualRuns } from "./reading-order.js";
import { fontForDocument } from "./shaping.js";
import { parsedFont, type TypefaceChain } from "./typefaces.js";

/** A text as SVG paths. */
export interface OutlinedText {
  /** Paths of lines that are centred at x = 0. The first baseline is at y = 0. */
  readonly svg: string;
  /** In the unit of the box. */
  readonly size: number;
  readonly lines: number;
}

/** Fits any text into `box` and draws it as paths, for pictures. It uses `substitute` when no character is printable. */
export function outlineText(raw: string, chain: TypefaceChain, box: Box, substitute: string): OutlinedText {
  const clusters = printableClusters(readableText(raw), chain);
  const shown = saysSomething(clusters) ? clusters : printableClusters(substitute, chain);
  const widths = new Map<string, number>();
  const measureRun = (run: Run): number => {
    const key = `${run.face} ${run.text}`;
    const width = widths.get(key) ?? widthOf(run);
    widths.set(key, width);
    return width;
  };
  const measure = (line: readonly Cluster[]) => visualRuns(line).reduce((sum, run) => sum + measureRun(run), 0);
  const { lines, size } = fitText(shown, box, measure);
  const svg = lines
    .map((line, index) => outlineLine(line, { x: (-measure(line) * size) / 2, y: index * size * box.leading, size }))
    .join("");
  return { svg, size, lines: lines.length };
}

/** Words with the space after each, which are shaped one by one as on a certificate. */
const wordsOf = ({ text }: Run): string[] => text.match(/[^ ]+ ?| /g) ?? [];

const layOut = (run: Run) => wordsOf(run).map((word) => fontForDocument(run.face).layout(word));

const widthOf = (run: Run): number =>
  layOut(run).reduce((sum, { advanceWidth }) => sum + advanceWidth, 0) / parsedFont(run.face).unitsPerEm;

function outlineLine(line: readonly Cluster[], start: Record<"x" | "y" | "size", number>): string {
  const { y, size } = start;
  let { x } = start;
  const paths: string[] = [];
  for (const run of visualRuns(line)) {
    const font = parsedFont(run.face);
    const scale = size / font.unitsPerEm;
    for (const { glyphs, positions } of layOut(run)) {
      glyphs.forEach(({ id }, index) => {
        const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
        const [left, top] = [x + xOffset * scale, y - yOffset * scale];
        paths.push(outlineGlyph(font.getGlyph(id).path.toSVG(), { left, top, scale }));
        x += xAdvance * scale;
      });
    }
  }
  return paths.join("");
}

const outlineGlyph = (path: string, { left, top, scale }: Record<"left" | "top" | "scale", number>): string =>
  path && `<path transform="translate(${left.toFixed(2)} ${top.toFixed(2)}) scale(${scale} ${-scale})" d="${path}"/>`;
