import QRCode from "qrcode";
import { describe, expect, test } from "vitest";
import { type Box, fitText, type Measure } from "../src/fit-text.js";
import { printableClusters, readableText } from "../src/printable-text.js";
import { qrCode } from "../src/qr-code.js";
import { visualRuns, withLevels } from "../src/reading-order.js";
import { fontForDocument } from "../src/shaping.js";
import { parsedFont, SERIF, type TypefaceName } from "../src/typefaces.js";

const printed = (text: string) =>
  printableClusters(readableText(text), SERIF)
    .map((cluster) => cluster.text)
    .join("");
const faces = (text: string) => [...new Set(printableClusters(readableText(text), SERIF).map(({ face }) => face))];

describe("readable text", () => {
  test.each([
    ["  Asha \t\n  Rao ", "Asha Rao"],
    ["Asha\u0000\u0007Rao", "Asha Rao"],
    ["Ame\u0301lie", "Amélie"],
    ["\u202eoaR\u202c ahsA\ufeff", "oaR ahsA"],
    ["A\ud800B\udc00", "AB"],
    ["Z\u0334\u0335\u0336\u0337\u0338", "Z\u0334\u0335"],
    ["\u200dक्\u200dष\u200c", "क्\u200dष"],
  ])("of %j is %j", (raw, readable) => {
    expect(readableText(raw)).toBe(readable);
  });
});

describe("printable text", () => {
  test.each([
    ["Rust 🦀 for C♯ people", "Rust for C# people"],
    ["Asha 🇮🇳 Rao 🦀!", "Asha IN Rao!"],
    ["𝐌𝐚𝐭𝐡 ⑤", "Math 5"],
    ["김민준 Kim", "김민준 Kim"],
    ["ᎠᏂ 𰻝", "ANi 𰻝"],
    ["𒀀 Kim", "… Kim"],
    ["🦀", ""],
  ])("of %j is %j", (text, expected) => {
    expect(printed(text)).toBe(expected);
  });

  test("keeps a word in one face if one has all of it", () => {
    expect(faces("Łukasz")).toEqual(["serif"]);
    expect(faces("Łukasz\u1e9f")).toHaveLength(1);
    expect(faces("प्रिया, शर्मा")).toEqual(["devanagari"]);
    expect(faces("田中")).toEqual(["mincho"]);
    expect(faces("欧阳晓明")).toEqual(["xiaowei"]);
    expect(faces("鄭馨慧")).toEqual(["mincho"]);
    expect(faces("龔蕭𨋢")).toEqual(["chocolate"]);
  });

  test.each(["big5", "gbk", "shift_jis", "euc-kr"])("has every letter of %s", (encoding) => {
    const decoder = new TextDecoder(encoding);
    const bytes = Array.from({ length: 0x7f * 0xbf }, (_, i) => [0x80 + Math.floor(i / 0xbf), 0x40 + (i % 0xbf)]);
    const letters = bytes.map((pair) => decoder.decode(Uint8Array.from(pair))).filter((text) => /^\p{L}$/u.test(text));
    const text = letters.join("").normalize("NFC");
    expect(letters.length).toBeGreaterThan(7_000);
    expect(
      printableClusters(text, SERIF)
        .map((cluster) => cluster.text)
        .join(""),
    ).toBe(text);
  });
});

/** Returns the text on paper from the left. Words from right to left are in reading order, in angle brackets. */
function onPaper(text: string): string {
  const letters = Array.from(text, (character) => ({ text: character, face: "sans" as const }));
  return visualRuns(withLevels(letters))
    .map((run) => run.text)
    .join("")
    .replace(/[א-ת]+/g, "<$&>");
}

describe("the order of a line on paper", () => {
  test.each([
    ["Asha Rao", "Asha Rao"],
    ["אב גד", "<גד> <אב>"],
    ["Ali (אב) Ben", "Ali (<אב>) Ben"],
    ["אב 101 (Java)", "(Java) 101 <אב>"],
    ["אב 3.12 גד", "<גד> 3.12 <אב>"],
    ["דביר Cohen", "Cohen <דביר>"],
    ["C אב 12 גד, b", "C <גד> 12 <אב>, b"],
  ])("of %j is %j", (text, expected) => {
    expect(onPaper(text)).toBe(expected);
  });
});

describe("fitting", () => {
  /** A typeface whose characters are all as wide as high. */
  const square: Measure = (clusters) => clusters.length;
  const box: Box = { width: 100, height: 40, maxLines: 2, maxSize: 20, minSize: 10, leading: 1 };
  const fit = (text: string) => {
    const { lines, width, ...rest } = fitText(printableClusters(text, SERIF), box, square);
    expect(width).toBeLessThanOrEqual(box.width);
    return { ...rest, lines: lines.map((line) => line.map((cluster) => cluster.text).join("")) };
  };

  test.each([
    ["abcde", { size: 20, lines: ["abcde"], cut: false }],
    ["abcdefg", { size: 14, lines: ["abcdefg"], cut: false }],
    ["abcd efgh", { size: 20, lines: ["abcd", "efgh"], cut: false }],
    ["ab cd ef gh ij", { size: 12.5, lines: ["ab cd ef", "gh ij"], cut: false }],
    ["abcdefghijklmnop", { size: 12.5, lines: ["abcdefgh", "ijklmnop"], cut: false }],
    ["abcdefghij klmnopqrst", { size: 10, lines: ["abcdefghij", "klmnopqrst"], cut: false }],
    ["ภาษาไทยภาษา", { size: 14, lines: ["ภาษาไทย", "ภาษา"], cut: false }],
    ["abcdefghij klmnopqrst uv", { size: 10, lines: ["abcdefghij", "klmnopqrs…"], cut: true }],
  ])("sets %j as %j", (text, expected) => {
    expect(fit(text)).toEqual(expected);
  });
});

test("a character wider than the box is made smaller than the smallest size", () => {
  const box: Box = { width: 100, height: 40, maxLines: 2, maxSize: 20, minSize: 10, leading: 1 };
  expect(fitText(printableClusters("W", SERIF), box, () => 25)).toMatchObject({ size: 4, cut: false });
});

describe("shaping", () => {
  const glyphIds = (face: TypefaceName, text: string) => {
    const { glyphs } = fontForDocument(face).layout(text);
    return glyphs.map((glyph) => glyph.id);
  };

  test.each([
    ["telugu", "ప్ర"],
    ["gurmukhi", "ਸਿੰਘਾਂ"],
    ["malayalam", "ക്ഷ്മി"],
    ["arabic", "محمد"],
    ["sinhala", "ක්‍රි"],
    ["khmer", "ស្រី"],
    ["myanmar", "ကြီး"],
    ["tibetan", "བཀྲ"],
    ["serif", "ffi"],
  ] as const)("joins the letters of %s", (face, text) => {
    const letters = parsedFont(face).glyphsForString(text);
    expect(glyphIds(face, text)).not.toEqual(letters.map((glyph) => glyph.id));
  });

  test("keeps each syllable of a word together", () => {
    const syllables = ["র", "বী", "ন্দ্র", "না", "থ"];
    expect(glyphIds("bengali", syllables.join(""))).toEqual(syllables.flatMap((part) => glyphIds("bengali", part)));
  });

  test("gives each character of a word to one glyph", () => {
    for (const [face, text] of [
      ["serif", "Affiliation"],
      ["arabic", "الْعَرَبِيّ"],
      ["devanagari", "हिन्दी"],
    ] as const) {
      const { glyphs } = fontForDocument(face).layout(text);
      const characters = glyphs.flatMap(({ codePoints }) => codePoints).sort();
      expect(characters).toEqual(Array.from(text, (character) => character.codePointAt(0)).sort());
    }
  });

  test("opens and closes the brackets of a right-to-left word towards it", () => {
    const glyphs = glyphIds("arabic", "(عرب)");
    expect([glyphs[0], glyphs.at(-1)]).toEqual([...glyphIds("arabic", "("), ...glyphIds("arabic", ")")]);
  });
});

describe("the QR code", () => {
  test("is the standard one at level M, with four light modules around it", () => {
    const content = "https://learn.example.org/api/certificate/verify/6f1c2b9e-4d3a-4c57-9a1e-2f0b8d7c6e55";
    const { modules } = QRCode.create(content, { errorCorrectionLevel: "M" });
    const code = qrCode(content);
    expect(code?.size).toBe(modules.size + 8);
    const dark = new Set(
      code?.bars.flatMap((bar) => Array.from({ length: bar.width }, (_, step) => `${bar.x + step - 4} ${bar.y - 4}`)),
    );
    for (let row = 0; row < modules.size; row++) {
      for (let column = 0; column < modules.size; column++) {
        expect(dark.has(`${column} ${row}`)).toBe(modules.get(row, column) === 1);
      }
    }
    expect(dark.size).toBe(modules.data.reduce((sum, module) => sum + module, 0));
  });

  test("is left out when the address is empty or longer than a code can hold", () => {
    expect(qrCode("")).toBeNull();
    expect(qrCode("x".repeat(5000))).toBeNull();
  });
});
