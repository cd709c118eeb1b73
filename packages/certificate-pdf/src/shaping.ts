import { readFileSync } from "node:fs";
import type { Font as FontkitFont, GlyphPosition } from "fontkit";
import { Blob, Buffer, BufferFlag, ClusterLevel, Direction, Face, Font, shape } from "harfbuzzjs";
import { isRightToLeft } from "./reading-order.js";
import { fontFile, hasJoiners, parsedFont, type TypefaceName } from "./typefaces.js";

/** The part of a shaped text that pdfkit reads. Lengths are in font units. */
interface ShapedText {
  readonly glyphs: readonly { readonly id: number; readonly advanceWidth: number; readonly codePoints: number[] }[];
  readonly positions: readonly GlyphPosition[];
  readonly advanceWidth: number;
}

const shapers = new Map<TypefaceName, Font>();
const buffer = new Buffer();

/** Returns the font for pdfkit: fontkit takes the glyphs out of its file, HarfBuzz shapes the text. */
export function fontForDocument(name: TypefaceName): FontkitFont {
  return Object.create(parsedFont(name), { layout: { value: (text: string) => shapeText(name, text) } });
}

/** Shapes one word and the space after it on paper. The glyphs are in their order on paper, from the left. */
function shapeText(name: TypefaceName, text: string): ShapedText {
  const font = shaperOf(name);
  const isReversed = isRightToLeft(text);
  buffer.reset();
  buffer.setClusterLevel(ClusterLevel.CHARACTERS);
  // Otherwise a joiner takes the glyph of the space, and a copied space can be a joiner.
  buffer.setFlags(hasJoiners(name) ? BufferFlag.PRESERVE_DEFAULT_IGNORABLES : BufferFlag.REMOVE_DEFAULT_IGNORABLES);
  buffer.addText(text);
  buffer.guessSegmentProperties();
  buffer.setDirection(isReversed ? Direction.RTL : Direction.LTR);
  shape(font, buffer);
  const codePoints = codePointsByCluster(text, new Set(buffer.getGlyphInfos().map(({ cluster }) => cluster)));
  const glyphs = buffer.getGlyphInfos().map(({ codepoint: id, cluster }) => {
    const ofGlyph = codePoints.get(cluster) ?? [];
    codePoints.delete(cluster);
    return { id, advanceWidth: font.glyphHAdvance(id), codePoints: ofGlyph };
  });
  const positions = buffer.getGlyphPositions();
  // Right to left, the space comes out before its word.
  if (isReversed && text.endsWith(" ")) {
    glyphs.push(...glyphs.splice(0, 1));
    positions.push(...positions.splice(0, 1));
  }
  return { glyphs, positions, advanceWidth: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) };
}

/** A cluster is the index of the first character of its glyphs. It ends where the next one begins. */
function codePointsByCluster(text: string, clusters: ReadonlySet<number>): Map<number, number[]> {
  const starts = [...clusters].sort((a, b) => a - b);
  return new Map(
    starts.map((start, index) => [
      start,
      Array.from(text.slice(start, starts[index + 1]), (character) => character.codePointAt(0) ?? 0),
    ]),
  );
}

function shaperOf(name: TypefaceName): Font {
  const known = shapers.get(name);
  if (known) return known;
  const font = new Font(new Face(new Blob(readFileSync(fontFile(name)))));
  shapers.set(name, font);
  return font;
}
