import type { Font, GlyphPosition } from "fontkit";
import { isRightToLeft } from "./reading-order.js";
import { parsedFont, type TypefaceName } from "./typefaces.js";

/** What pdfkit reads of a shaped text. Lengths are in font units. */
interface Shape {
  readonly glyphs: readonly { readonly id: number; readonly advanceWidth: number; readonly codePoints: number[] }[];
  readonly positions: readonly Readonly<GlyphPosition>[];
  readonly advanceWidth: number;
}

/** Shaped words by face. Most words of a certificate are the same on every one, and shaping is half of the work. */
const shapes = new Map<TypefaceName, Map<string, Shape>>();
const MOST_SHAPES = 2000;

/**
 * The font for pdfkit to draw one document with. Everything parsed and shaped is shared between documents, and the
 * same text has the same shape in each of them, whatever was drawn before.
 */
export function fontForDocument(name: TypefaceName): Font {
  const font = parsedFont(name);
  const known = shapes.get(name) ?? new Map<string, Shape>();
  shapes.set(name, known);
  const layout = (text: string) => {
    const shape = known.get(text) ?? shapeAnew(font, text);
    if (known.size >= MOST_SHAPES) known.clear();
    known.set(text, shape);
    // pdfkit scales positions in place.
    return { ...shape, positions: shape.positions.map((position) => ({ ...position })) };
  };
  return Object.create(font, { layout: { value: layout } });
}

function shapeAnew(font: Font, text: string): Shape {
  // fontkit remembers in a glyph which characters it was first asked for (an Arabic letter, or the character of its
  // isolated form), and pdfkit writes them into the file: so the glyphs are forgotten, or the bytes would depend on
  // what the process has drawn before.
  Object.assign(font, { _glyphs: {} });
  tolerateMissingAnchors(font);
  try {
    const run = font.layout(text, undefined, undefined, undefined, isRightToLeft(text) ? "rtl" : "ltr");
    return { glyphs: run.glyphs.map(plainGlyph), positions: run.positions, advanceWidth: run.advanceWidth };
  } catch {
    return shapeUnjoined(font, text);
  }
}

/** One glyph after the other, for the rare word that fontkit cannot shape. */
function shapeUnjoined(font: Font, text: string): Shape {
  const glyphs = font.glyphsForString(text).map(plainGlyph);
  return {
    glyphs,
    positions: glyphs.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 })),
    advanceWidth: glyphs.reduce((sum, glyph) => sum + glyph.advanceWidth, 0),
  };
}

function plainGlyph({ id, advanceWidth, codePoints }: Shape["glyphs"][number]): Shape["glyphs"][number] {
  return { id, advanceWidth, codePoints };
}

/** The part of fontkit that attaches a mark to its letter, each at an anchor of its own. */
interface MarkAttachment {
  applyAnchor(mark: { markAnchor: object | null }, baseAnchor: object | null, baseIndex: number): void;
}

/**
 * OpenType lets an anchor be missing, which means that the mark stays where it is. fontkit 2.0.4 fails on that, for
 * frequent syllables of Telugu, Malayalam, Gujarati and Punjabi.
 */
function tolerateMissingAnchors(font: Font): void {
  const engine: { engine?: { GPOSProcessor?: MarkAttachment | null } | null } = Reflect.get(font, "_layoutEngine");
  const attachment = engine.engine?.GPOSProcessor;
  if (!attachment || Object.hasOwn(attachment, "applyAnchor")) return;
  const applyAnchor = attachment.applyAnchor.bind(attachment);
  attachment.applyAnchor = (mark, baseAnchor, baseIndex) => {
    if (mark.markAnchor && baseAnchor) applyAnchor(mark, baseAnchor, baseIndex);
  };
}
