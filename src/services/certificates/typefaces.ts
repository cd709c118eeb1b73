import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create, type Font, type GlyphPosition } from "fontkit";
import { isRightToLeft } from "./writing-direction.js";

/** One static TrueType file, resolved as a module so that it is found from `src` and from `dist` alike. */
interface Typeface {
  readonly file: string;
  /** When given, the face is only considered for characters that match, and not even read before one does. */
  readonly only?: RegExp;
}

const EAST_ASIAN =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\uff01-\uff65]/u;

const TYPEFACES = {
  serif: { file: "@expo-google-fonts/eb-garamond/500Medium/EBGaramond_500Medium.ttf" },
  serifItalic: { file: "@expo-google-fonts/eb-garamond/400Regular_Italic/EBGaramond_400Regular_Italic.ttf" },
  sans: { file: "@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf" },
  devanagari: {
    file: "@expo-google-fonts/tiro-devanagari-hindi/400Regular/TiroDevanagariHindi_400Regular.ttf",
    only: /\p{Script_Extensions=Devanagari}/u,
  },
  arabic: {
    file: "@expo-google-fonts/noto-naskh-arabic/500Medium/NotoNaskhArabic_500Medium.ttf",
    only: /\p{Script_Extensions=Arabic}/u,
  },
  // Japanese with most traditional Chinese characters, then the simplified ones.
  mincho: { file: "@expo-google-fonts/hina-mincho/400Regular/HinaMincho_400Regular.ttf", only: EAST_ASIAN },
  xiaowei: { file: "@expo-google-fonts/zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular.ttf", only: EAST_ASIAN },
} as const satisfies Record<string, Typeface>;

export type TypefaceName = keyof typeof TYPEFACES;

/** The face of a text, followed by the faces that stand in, in this order, for characters it lacks. */
export type TypefaceChain = readonly [TypefaceName, ...TypefaceName[]];

export const SERIF: TypefaceChain = ["serif", "devanagari", "arabic", "mincho", "xiaowei", "sans"];
export const SANS: TypefaceChain = ["sans"];

const require = createRequire(import.meta.url);

/** Parsed files, kept for the life of the process: parsing takes longer than drawing a whole certificate. */
const parsed = new Map<TypefaceName, Font>();

function parse(name: TypefaceName): Font {
  const known = parsed.get(name);
  if (known) return known;
  const font = create(readFileSync(require.resolve(TYPEFACES[name].file)));
  if (!("layout" in font)) throw new Error(`${TYPEFACES[name].file} is a collection, not a single font`);
  parsed.set(name, font);
  return font;
}

/** Whether `name` has a glyph for every code point of `text`; joiners need none. */
export function covers(name: TypefaceName, text: string): boolean {
  const face: Typeface = TYPEFACES[name];
  if (face.only && !face.only.test(text)) return false;
  const font = parse(name);
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (codePoint !== ZWNJ && codePoint !== ZWJ && !font.hasGlyphForCodePoint(codePoint)) return false;
  }
  return true;
}

const ZWNJ = 0x200c;
const ZWJ = 0x200d;

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
 * The font for pdfkit to draw one document with: everything parsed and shaped is shared between documents. The same
 * text has the same shape in each of them: fontkit would remember in a glyph which characters it was first asked for
 * (Δ as a letter or as a sign), and that gets into the file; so it forgets its glyphs before each text.
 */
export function fontForDocument(name: TypefaceName): Font {
  const font = parse(name);
  const known = shapes.get(name) ?? new Map<string, Shape>();
  shapes.set(name, known);
  const layout = (text: string, features?: string[]) => {
    const key = features ? `${text} ${features.join(" ")}` : text;
    const shape = known.get(key) ?? shapeAnew(font, text, features);
    if (known.size >= MOST_SHAPES) known.clear();
    known.set(key, shape);
    // pdfkit scales positions in place.
    return { ...shape, positions: shape.positions.map((position) => ({ ...position })) };
  };
  return Object.create(font, { layout: { value: layout } });
}

function shapeAnew(font: Font, text: string, features: string[] | undefined): Shape {
  Object.assign(font, { _glyphs: {} });
  const direction = isRightToLeft(text) ? "rtl" : "ltr";
  const { glyphs, positions, advanceWidth } = font.layout(text, features, undefined, undefined, direction);
  return {
    glyphs: glyphs.map(({ id, advanceWidth, codePoints }) => ({ id, advanceWidth, codePoints })),
    positions,
    advanceWidth,
  };
}
