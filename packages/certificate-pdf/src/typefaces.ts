import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create, type Font } from "fontkit";

const require = createRequire(import.meta.url);

/** A static TrueType file. Its path is a module path, so that `src` and `dist` both find it. */
interface Typeface {
  readonly locate: () => string;
  /** The face is used and read only for characters that match. */
  readonly only?: RegExp;
}

const EAST_ASIAN =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script_Extensions=Bopomofo}\uff01-\uff65]/u;

const TYPEFACES = {
  serif: { locate: () => require.resolve("@expo-google-fonts/eb-garamond/500Medium/EBGaramond_500Medium.ttf") },
  serifItalic: {
    locate: () => require.resolve("@expo-google-fonts/eb-garamond/400Regular_Italic/EBGaramond_400Regular_Italic.ttf"),
  },
  sans: { locate: () => require.resolve("@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf") },
  devanagari: {
    locate: () =>
      require.resolve("@expo-google-fonts/tiro-devanagari-hindi/400Regular/TiroDevanagariHindi_400Regular.ttf"),
    only: /\p{Script_Extensions=Devanagari}/u,
  },
  arabic: {
    // A face whose letters are one glyph each: readers copy a name from its glyphs.
    locate: () => require.resolve("@expo-google-fonts/amiri/400Regular/Amiri_400Regular.ttf"),
    only: /\p{Script_Extensions=Arabic}/u,
  },
  bengali: {
    locate: () => require.resolve("@expo-google-fonts/noto-sans-bengali/400Regular/NotoSansBengali_400Regular.ttf"),
    only: /\p{Script_Extensions=Bengali}/u,
  },
  gujarati: {
    locate: () => require.resolve("@expo-google-fonts/noto-sans-gujarati/400Regular/NotoSansGujarati_400Regular.ttf"),
    only: /\p{Script_Extensions=Gujarati}/u,
  },
  gurmukhi: {
    locate: () => require.resolve("@expo-google-fonts/noto-sans-gurmukhi/400Regular/NotoSansGurmukhi_400Regular.ttf"),
    only: /\p{Script_Extensions=Gurmukhi}/u,
  },
  kannada: {
    locate: () => require.resolve("@expo-google-fonts/noto-sans-kannada/400Regular/NotoSansKannada_400Regular.ttf"),
    only: /\p{Script_Extensions=Kannada}/u,
  },
  malayalam: {
    locate: () => require.resolve("@expo-google-fonts/noto-sans-malayalam/400Regular/NotoSansMalayalam_400Regular.ttf"),
    only: /\p{Script_Extensions=Malayalam}/u,
  },
  oriya: {
    locate: () => require.resolve("@expo-google-fonts/noto-sans-oriya/400Regular/NotoSansOriya_400Regular.ttf"),
    only: /\p{Script_Extensions=Oriya}/u,
  },
  tamil: {
    locate: () => require.resolve("@expo-google-fonts/noto-sans-tamil/400Regular/NotoSansTamil_400Regular.ttf"),
    only: /\p{Script_Extensions=Tamil}/u,
  },
  telugu: {
    locate: () => require.resolve("@expo-google-fonts/noto-sans-telugu/400Regular/NotoSansTelugu_400Regular.ttf"),
    only: /\p{Script_Extensions=Telugu}/u,
  },
  hebrew: {
    locate: () => require.resolve("@expo-google-fonts/noto-serif-hebrew/400Regular/NotoSerifHebrew_400Regular.ttf"),
    only: /\p{Script_Extensions=Hebrew}/u,
  },
  thaana: {
    locate: () => require.resolve("@expo-google-fonts/noto-sans-thaana/400Regular/NotoSansThaana_400Regular.ttf"),
    only: /\p{Script_Extensions=Thaana}/u,
  },
  armenian: {
    locate: () => require.resolve("@expo-google-fonts/noto-sans-armenian/400Regular/NotoSansArmenian_400Regular.ttf"),
    only: /\p{Script_Extensions=Armenian}/u,
  },
  georgian: {
    locate: () => require.resolve("@expo-google-fonts/noto-sans-georgian/400Regular/NotoSansGeorgian_400Regular.ttf"),
    only: /\p{Script_Extensions=Georgian}/u,
  },
  ethiopic: {
    locate: () => require.resolve("@expo-google-fonts/noto-sans-ethiopic/400Regular/NotoSansEthiopic_400Regular.ttf"),
    only: /\p{Script_Extensions=Ethiopic}/u,
  },
  sinhala: {
    locate: () => require.resolve("@expo-google-fonts/noto-sans-sinhala/400Regular/NotoSansSinhala_400Regular.ttf"),
    only: /\p{Script_Extensions=Sinhala}/u,
  },
  thai: {
    locate: () => require.resolve("@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf"),
    only: /\p{Script_Extensions=Thai}/u,
  },
  lao: {
    locate: () => require.resolve("@expo-google-fonts/noto-sans-lao/400Regular/NotoSansLao_400Regular.ttf"),
    only: /\p{Script_Extensions=Lao}/u,
  },
  khmer: {
    locate: () => require.resolve("@expo-google-fonts/noto-sans-khmer/400Regular/NotoSansKhmer_400Regular.ttf"),
    only: /\p{Script_Extensions=Khmer}/u,
  },
  myanmar: {
    locate: () => require.resolve("@expo-google-fonts/noto-sans-myanmar/400Regular/NotoSansMyanmar_400Regular.ttf"),
    only: /\p{Script_Extensions=Myanmar}/u,
  },
  tibetan: {
    locate: () => require.resolve("@expo-google-fonts/noto-serif-tibetan/400Regular/NotoSerifTibetan_400Regular.ttf"),
    only: /\p{Script_Extensions=Tibetan}/u,
  },
  // Each of these is small and has the characters of one country. The large one after them has all 28,000.
  mincho: {
    locate: () => require.resolve("@expo-google-fonts/hina-mincho/400Regular/HinaMincho_400Regular.ttf"),
    only: EAST_ASIAN,
  },
  xiaowei: {
    locate: () => require.resolve("@expo-google-fonts/zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular.ttf"),
    only: EAST_ASIAN,
  },
  chocolate: {
    locate: () =>
      require.resolve("@expo-google-fonts/chocolate-classical-sans/400Regular/ChocolateClassicalSans_400Regular.ttf"),
    only: EAST_ASIAN,
  },
  batang: {
    locate: () => require.resolve("@expo-google-fonts/gowun-batang/400Regular/GowunBatang_400Regular.ttf"),
    only: /\p{Script_Extensions=Hangul}/u,
  },
} as const satisfies Record<string, Typeface>;

export type TypefaceName = keyof typeof TYPEFACES;

/** Lists the face of a text and its fallback faces in order. */
export type TypefaceChain = readonly [TypefaceName, ...TypefaceName[]];

export const SERIF: TypefaceChain = [
  "serif",
  "devanagari",
  "bengali",
  "gujarati",
  "gurmukhi",
  "kannada",
  "malayalam",
  "oriya",
  "tamil",
  "telugu",
  "sinhala",
  "arabic",
  "hebrew",
  "thaana",
  "armenian",
  "georgian",
  "ethiopic",
  "thai",
  "lao",
  "khmer",
  "myanmar",
  "tibetan",
  "mincho",
  "xiaowei",
  "chocolate",
  "batang",
  "sans",
];
export const SANS: TypefaceChain = ["sans"];

/** Caches parsed files for the life of the process, because parsing takes longer than drawing a certificate. */
const parsed = new Map<TypefaceName, Font>();

/** Path of the TrueType file of a face. */
export const fontFile = (name: TypefaceName): string => TYPEFACES[name].locate();

/** Returns the parsed file of a face. */
export function parsedFont(name: TypefaceName): Font {
  const known = parsed.get(name);
  if (known) return known;
  const file = fontFile(name);
  const font = create(readFileSync(file));
  if (!("layout" in font)) throw new Error(`${file} is a collection, not a single font`);
  parsed.set(name, font);
  return font;
}

/** True when `name` is meant for `text` and has a glyph for each of its characters. */
export function covers(name: TypefaceName, text: string): boolean {
  const { only }: Typeface = TYPEFACES[name];
  return (!only || only.test(text)) && hasGlyphs(name, text);
}

const ZWNJ = 0x200c;
const ZWJ = 0x200d;

/** True when `name` has glyphs for the joiners, which show nothing. */
export const hasJoiners = (name: TypefaceName): boolean =>
  [ZWNJ, ZWJ].every((joiner) => parsedFont(name).hasGlyphForCodePoint(joiner));

/** True when `name` has a glyph for every code point of `text`. Joiners need none. */
export function hasGlyphs(name: TypefaceName, text: string): boolean {
  const font = parsedFont(name);
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (codePoint !== ZWNJ && codePoint !== ZWJ && !font.hasGlyphForCodePoint(codePoint)) return false;
  }
  return true;
}
