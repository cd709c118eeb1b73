import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create, type Font } from "fontkit";

/** One static TrueType file, resolved as a module so that it is found from `src` and from `dist` alike. */
interface Typeface {
  readonly file: string;
  /** When given, the face is only considered for characters that match, and not even read before one does. */
  readonly only?: RegExp;
}

const TYPEFACES = {
  serif: { file: "@expo-google-fonts/eb-garamond/500Medium/EBGaramond_500Medium.ttf" },
  serifItalic: { file: "@expo-google-fonts/eb-garamond/400Regular_Italic/EBGaramond_400Regular_Italic.ttf" },
  sans: { file: "@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf" },
  sansStrong: { file: "@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf" },
  devanagari: {
    file: "@expo-google-fonts/tiro-devanagari-hindi/400Regular/TiroDevanagariHindi_400Regular.ttf",
    only: /\p{Script_Extensions=Devanagari}/u,
  },
} as const satisfies Record<string, Typeface>;

export type TypefaceName = keyof typeof TYPEFACES;

/** The face of a text, followed by the faces that stand in, in this order, for characters it lacks. */
export type TypefaceChain = readonly [TypefaceName, ...TypefaceName[]];

export const SERIF: TypefaceChain = ["serif", "devanagari", "sans"];
export const SERIF_ITALIC: TypefaceChain = ["serifItalic", "serif"];
export const SANS: TypefaceChain = ["sans"];
export const SANS_STRONG: TypefaceChain = ["sansStrong"];

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

/**
 * A font to draw one document with. It shares everything parsed with other documents but not the glyphs: fontkit
 * remembers in a glyph which characters it was first asked for (K or the Kelvin sign), and writes that into the file,
 * so that shared glyphs would make the bytes of a document depend on the documents before it.
 */
export function fontForDocument(name: TypefaceName): Font {
  return Object.create(parse(name), { _glyphs: { value: {} } });
}
