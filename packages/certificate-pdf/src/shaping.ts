import type { Font, GlyphPosition } from "fontkit";
import { isRightToLeft } from "./reading-order.js";
import { parsedFont, type TypefaceName } from "./typefaces.js";

/** The part of a shaped text that pdfkit reads. Lengths are in font units. */
interface Shape {
  readonly glyphs: readonly { readonly id: number; readonly advanceWidth: number; readonly codePoints: number[] }[];
  readonly positions: readonly Readonly<GlyphPosition>[];
  readonly advanceWidth: number;
}

/** Caches shaped words by face, because most words recur on every certificate and shaping takes half of the time. */
const shapes = new Map<TypefaceName, Map<string, Shape>>();
const MAX_CACHED_SHAPES = 2000;

/**
 * Creates the font that pdfkit uses in one document. Documents share parsed files and shaped words. A text has equal
 * shapes in every document, regardless of earlier documents.
 */
export function fontForDocument(name: TypefaceName): Font {
  const font = parsedFont(name);
  const known = shapes.get(name) ?? new Map<string, Shape>();
  shapes.set(name, known);
  const layout = (text: string) => {
    const shape = known.get(text) ?? shapeUncached(font, text);
    if (known.size >= MAX_CACHED_SHAPES) known.clear();
    known.set(text, shape);
    // Copy the positions, because pdfkit scales them in place.
    return { ...shape, positions: shape.positions.map((position) => ({ ...position })) };
  };
  return Object.create(font, { layout: { value: layout } });
}

function shapeUncached(font: Font, text: string): Shape {
  // Forget the glyphs. fontkit stores in a glyph the characters of its first use, for example an Arabic letter or its
  // isolated form. pdfkit writes these characters into the file, so its bytes would depend on earlier documents.
  Object.assign(font, { _glyphs: {} });
  tolerateMissingAnchors(font);
  try {
    const run = font.layout(text, undefined, undefined, undefined, isRightToLeft(text) ? "rtl" : "ltr");
    return { glyphs: run.glyphs.map(plainGlyph), positions: run.positions, advanceWidth: run.advanceWidth };
  } catch {
    return shapeUnjoined(font, text);
  }
}

/** Lays out one glyph after the other, for a word that fontkit cannot shape. */
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

/** The part of fontkit that attaches marks to letters by anchors. */
interface MarkAttachment {
  applyAnchor(mark: { markAnchor: object | null }, baseAnchor: object | null, baseIndex: number): void;
}

/**
 * OpenType allows a missing anchor, which leaves the mark in place. fontkit 2.0.4 throws instead, for frequent
 * syllables of Telugu, Malayalam, Gujarati and Punjabi.
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
