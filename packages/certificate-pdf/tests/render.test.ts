import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import fc from "fast-check";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { describe, expect, test } from "vitest";
import { createBrand } from "../src/brand.js";
import {
  type CertificateDesign,
  type CertificateFacts,
  renderCertificate as render,
} from "../src/render-certificate.js";

/** The names in its list of scripts. */
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const scripts = [...readme.matchAll(/^- (\w+): (.*) \(.*\)$/gm)].map(([, script = "", name = ""]) => [script, name]);

const lyceum = createBrand({ name: "Lyceum", color: "#0f766e", logo: undefined });
const renderCertificate = (facts: CertificateFacts, design?: CertificateDesign) => render(facts, lyceum, design);

/** A dark square of 2 × 2 pixels. */
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGMQUDAAIgYIBQAKDgGBVjPu8wAAAABJRU5ErkJggg==",
  "base64",
);
const usual = { heading: null, statement: null, recognition: null, logo: null, signatories: [] };

const certificateId = "6f1c2b9e-4d3a-4c57-9a1e-2f0b8d7c6e55";
const facts = {
  certificateId,
  studentName: "Asha Rao",
  courseTitle: "Distributed Systems in Practice",
  completionDate: new Date("2026-11-21T23:30:00Z"),
  verifyUrl: `https://learn.example.org/api/certificate/verify/${certificateId}`,
};

/**
 * A run of glyphs on the page. Lengths are in points from the lower left corner; glyph numbers are those of the
 * embedded font.
 */
interface DrawnRun {
  text: string;
  glyphs: number[];
  font: string;
  size: number;
  x: number;
  y: number;
  width: number;
}

/** Reads a PDF of pdfkit: every object as text, with unpacked streams. */
function readPdf(pdf: Buffer) {
  const objects = new Map<string, string>();
  for (const [, id = "", body = ""] of pdf.toString("latin1").matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [head = "", stream] = body.split(/stream\n|\nendstream/);
    const packed = stream !== undefined && head.includes("/FlateDecode");
    const data = packed ? inflateSync(Buffer.from(stream, "latin1")).toString("latin1") : (stream ?? "");
    objects.set(id, `${head}${data}`);
  }
  const all = [...objects.values()];
  const pages = all.filter((object) => /\/Type \/Page\n/.test(object));
  const refer = (object: string | undefined, key: string) =>
    objects.get(new RegExp(`/${key} \\[?(\\d+) 0 R`).exec(object ?? "")?.[1] ?? "");
  const content = refer(pages[0], "Contents") ?? "";
  const fonts = new Map<string, { widths: number[]; unicode: string[] }>();
  for (const [, name = "", id = ""] of (refer(pages[0], "Resources") ?? "").matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const font = objects.get(id);
    const widths = /\/W \[0 \[([^\]]*)\]\]/.exec(refer(font, "DescendantFonts") ?? "")?.[1] ?? "";
    const unicode = [...(refer(font, "ToUnicode") ?? "").matchAll(/<[0-9a-f]+> <[0-9a-f]+> \[(.*)\]/g)].flatMap(
      ([, entries = ""]) =>
        [...entries.matchAll(/<([0-9a-f ]*)>/g)].map(([, hex = ""]) =>
          Buffer.from(hex.replaceAll(" ", ""), "hex").swap16().toString("utf16le"),
        ),
    );
    fonts.set(name, { widths: widths.split(" ").map(Number), unicode });
  }
  return { all, pages, content, runs: readRuns(content, fonts), actualTexts: readActualTexts(content) };
}

function readRuns(content: string, fonts: Map<string, { widths: number[]; unicode: string[] }>): DrawnRun[] {
  const runs: DrawnRun[] = [];
  let [x, y, name, size, spacing] = [0, 0, "", 0, 0];
  for (const line of content.split("\n")) {
    const place = /^1 0 0 1 (\S+) (\S+) Tm$/.exec(line);
    const face = /^\/(F\d+) (\S+) Tf$/.exec(line);
    if (line === "BT") spacing = 0;
    if (place) [x, y] = [Number(place[1]), Number(place[2])];
    if (face) [name, size] = [face[1] ?? "", Number(face[2])];
    if (line.endsWith(" Tc")) spacing = Number.parseFloat(line);
    if (!line.endsWith(" TJ")) continue;
    const font = fonts.get(name);
    const glyphs: number[] = [];
    let width = 0;
    for (const [, hex, adjustment] of line.matchAll(/<([0-9a-f]*)>|(-?[\d.]+)/g)) {
      if (adjustment) width -= (Number(adjustment) / 1000) * size;
      for (const code of (hex ?? "").match(/.{4}/g) ?? []) {
        const glyph = Number.parseInt(code, 16);
        glyphs.push(glyph);
        width += ((font?.widths[glyph] ?? Number.NaN) / 1000) * size + spacing;
      }
    }
    runs.push({ text: glyphs.map((glyph) => font?.unicode[glyph]).join(""), glyphs, font: name, size, x, y, width });
    x += width;
  }
  return runs;
}

function readActualTexts(content: string): string[] {
  return [...content.matchAll(/\/ActualText \(((?:\\[\s\S]|[^\\)])*)\)/g)].map(([, escaped = ""]) => {
    const unescaped = escaped.replace(
      /\\(.)/gs,
      (_, c: string) => ({ n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" })[c] ?? c,
    );
    const bytes = Buffer.from(unescaped, "latin1");
    return unescaped.startsWith("\u00fe\u00ff") ? bytes.subarray(2).swap16().toString("utf16le") : unescaped;
  });
}

const visible = (runs: DrawnRun[]) => runs.map((run) => run.text).join(" ");

describe("a certificate", () => {
  test("says who completed what and when, and how to check it, on one A4 landscape page", async () => {
    const { pages, runs, actualTexts, all, content } = readPdf(await renderCertificate(facts));
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain("/MediaBox [0 0 841.89 595.28]");
    const text = visible(runs);
    for (const line of [
      "CERTIFICATE OF COMPLETION",
      "This is to certify that",
      "Asha Rao",
      "Distributed Systems in Practice",
      "In recognition of",
      "Verify this certificate",
      "Scan to verify",
      "21 November 2026",
      `Certificate ID ${certificateId}`,
    ]) {
      expect(text).toContain(line);
    }
    expect(actualTexts).toContain("Certificate of Completion");
    expect(actualTexts).toContain(facts.verifyUrl);
    expect(all.join()).toContain(`/URI (${facts.verifyUrl})`);
    expect(content.match(/ re\n/g)?.length).toBeGreaterThan(300); // the code, as rectangles
    expect(all.join()).not.toContain("/Subtype /Image");
  });

  test("shows words, pictures and signatories of a design, and until when it is valid", async () => {
    const signatory = { name: "Dr. Ana Silva", title: "Dean", signature: picture };
    const design = {
      ...{ heading: "شهادة", statement: "ने पूरा किया", recognition: "חזק ואמץ", logo: picture },
      signatories: [signatory, { name: "王教授", title: null, signature: null }],
    };
    const { runs, all, pages } = readPdf(
      await renderCertificate({ ...facts, expiresAt: new Date("2027-11-21T00:00:00Z") }, design),
    );
    expect(pages).toHaveLength(1);
    const text = visible(runs);
    for (const line of ["Dr. Ana Silva", "Dean", "王教授", "Valid until 21 November 2027"])
      expect(text).toContain(line);
    expect(text).not.toMatch(/CERTIFICATE OF|has successfully|In recognition|Signed for/);
    expect(runs.flatMap(({ glyphs }) => glyphs)).not.toContain(0);
    expect(all.join("\n")).toContain("/Alt (Signature of Dr. Ana Silva)");
    expect(all.filter((object) => object.includes("/Subtype /Image"))).toHaveLength(2);
    const plain = visible(readPdf(await renderCertificate(facts, { ...usual, recognition: "" })).runs);
    expect(plain).not.toContain("In recognition");
  });

  test("a specimen says so and has no code", async () => {
    const { runs, all } = readPdf(await renderCertificate({ ...facts, isSpecimen: true }));
    expect(visible(runs)).toContain("SPECIMEN");
    expect(visible(runs)).not.toContain("Scan to verify");
    expect(all.join("\n")).not.toContain("/Alt (QR code");
  });

  test("prints the longest texts of a design whole, in wide scripts too", async () => {
    for (const text of ["W", "漢", "ക്ഷ്മ", "Wm "].map((part) => part.repeat(200))) {
      const [heading, statement, recognition] = [60, 160, 200].map((length) => text.slice(0, length));
      const signatories = [1, 2, 3].map(() => ({
        name: text.slice(0, 80),
        title: text.slice(0, 120),
        signature: picture,
      }));
      const design = { ...usual, ...{ heading, statement, recognition }, signatories } as CertificateDesign;
      const { runs, pages } = readPdf(await renderCertificate(facts, design));
      expect(pages).toHaveLength(1);
      expect(visible(runs)).not.toContain("…");
    }
  });

  test("prints the name larger than anything else, however long it is", async () => {
    for (const studentName of [
      "Asha Rao",
      "Wilhelmina von Hohenzollern ".repeat(5),
      "漢".repeat(80),
      "x".repeat(999),
    ]) {
      const { runs } = readPdf(await renderCertificate({ ...facts, studentName }));
      const sizes = [...new Set(runs.map((run) => run.size))].sort((a, b) => b - a);
      const largest = runs.filter((run) => run.size === sizes[0]);
      expect(studentName).toContain(largest[0]?.text.slice(0, 4));
      expect(largest.every((run) => studentName.includes(run.text.trim()) || run.text.endsWith("…"))).toBe(true);
    }
  });

  test("prints names and titles of eighty characters whole, in wide scripts too", async () => {
    for (const text of ["漢字".repeat(40), "W".repeat(80), "Wm ".repeat(26).trim(), "ക്ഷ്മ".repeat(16)]) {
      const { runs } = readPdf(await renderCertificate({ ...facts, studentName: text, courseTitle: text }));
      expect(visible(runs)).not.toContain("…");
    }
  });

  test("embeds every font and opens none that is not embedded", async () => {
    const studentName = "Zoë Łukasiewicz प्रियंका தமிழ் محمد 田中 欧阳 김민준";
    const { all } = readPdf(await renderCertificate({ ...facts, studentName }));
    const descriptors = all.filter((object) => object.includes("/Type /FontDescriptor"));
    expect(descriptors.length).toBeGreaterThanOrEqual(8);
    for (const descriptor of descriptors) expect(descriptor).toMatch(/\/FontFile[23] \d+ 0 R/);
    expect(all.filter((object) => /\/Subtype \/Type[13]\n/.test(object))).toEqual([]);
    expect(all.join()).not.toContain("Helvetica");
  });

  test("is tagged for readers, with language, title, and words for what is not text", async () => {
    const studentName = "A <b> & B";
    const { all } = readPdf(await renderCertificate({ ...facts, studentName }));
    const everything = all.join("\n");
    for (const part of [
      "/Marked true",
      "/Lang (en)",
      "/DisplayDocTitle true",
      "/S /H1",
      "/S /Link",
      "<pdfuaid:part>1",
    ]) {
      expect(everything).toContain(part);
    }
    expect(everything).toContain("/Alt (QR code that holds the verification address)");
    const metadata = all.find((object) => object.includes("<x:xmpmeta")) ?? "";
    expect(metadata).toContain("<dc:title>");
    expect(metadata).not.toContain("<b>");
    expect(metadata).not.toMatch(/&(?!\w+;)/);
  });

  test("has the same bytes for the same facts, whatever was drawn before", async () => {
    // Two characters share a glyph, and the file names one of them as its text.
    const [letter, isolated] = [
      { ...facts, studentName: "\u0628" },
      { ...facts, studentName: "\ufe8f" },
    ];
    const first = await renderCertificate(letter);
    expect(visible(readPdf(await renderCertificate(isolated)).runs)).toContain("\ufe8f");
    expect((await renderCertificate(letter)).equals(first)).toBe(true);
    expect(visible(readPdf(first).runs)).toContain("\u0628");
  });

  test.each(scripts)("draws a name in %s with glyphs, and keeps the words as they were written", async (_, name) => {
    const { actualTexts, runs } = readPdf(await renderCertificate({ ...facts, studentName: name }));
    // Readers turn replaced text of these scripts around, so they take the text from the glyphs.
    if (!/[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}]/u.test(name)) {
      expect(actualTexts).toContain(name.normalize("NFC"));
    }
    const largest = Math.max(...runs.map((run) => run.size));
    const drawn = runs.filter((run) => run.size === largest);
    expect(drawn.flatMap((run) => run.glyphs)).not.toContain(0);
    const text = drawn.map((run) => run.text).join("");
    expect([...text].filter((character) => !name.normalize("NFC").includes(character))).toEqual([]);
  });

  test("prints the name of the platform in any script, and inside its place", async () => {
    for (const name of ["ليسيوم", "דביר", "大學 🦀", "W".repeat(40)]) {
      const { runs } = readPdf(await render(facts, { ...lyceum, name }));
      for (const run of runs) {
        expect(run.glyphs).not.toContain(0);
        if (run.y > 110 && run.y < 120 && run.x < 440) expect(run.x + run.width).toBeLessThan(450);
      }
    }
  });

  test.each(["محمد عبد الله", "ڈاکٹر محمد علی خان", "لا إله کیوان", "דוד כהן", "王小明 田中"])(
    "a reader copies the name %s as it was written",
    async (studentName) => {
      const data = new Uint8Array(await renderCertificate({ ...facts, studentName }));
      const file = await getDocument({ data, verbosity: 0 }).promise;
      const { items } = await (await file.getPage(1)).getTextContent();
      expect(items.map((item) => ("str" in item ? item.str : ""))).toContain(studentName);
      await file.destroy();
    },
  );

  test("documents the number of scripts", () => {
    expect(readme).toContain(`any of [${scripts.length} scripts]`);
  });

  test("leaves emoji out, and names a learner without a printable name by the record", async () => {
    const crab = readPdf(await renderCertificate({ ...facts, studentName: "Ada 🦀 Lovelace" }));
    expect(visible(crab.runs)).toContain("Ada Lovelace");
    const only = readPdf(await renderCertificate({ ...facts, studentName: "🦀👩🏽‍💻" }));
    expect(visible(only.runs)).toContain("The learner on record");
  });

  const anyText = fc.oneof(
    fc.string({ unit: "binary", maxLength: 120 }),
    fc.string({ unit: "grapheme", maxLength: 500 }),
    fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 90 }).map((units) => String.fromCharCode(...units)),
    fc
      .array(fc.constantFrom(..."aW\u0301\u0334 \u200d\u202e\n漢か한ษמᏣسم(1.5)ல்పక్షി्🦀\ufdfd…–&<".normalize("NFD")), {
        maxLength: 130,
      })
      .map((characters) => characters.join("")),
  );

  test("stays on one page, inside the frame and free of empty boxes, whatever the texts are", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, anyText, anyText, async (studentName, courseTitle, id, verifyUrl) => {
        const [title, name] = [courseTitle.slice(0, 120), studentName.slice(0, 80)];
        const design = {
          ...{ heading: verifyUrl, statement: id, recognition: title, logo: picture },
          signatories: [1, 2, 3].map(() => ({ name, title, signature: picture })),
        };
        const shown = { ...facts, studentName, courseTitle, certificateId: id, verifyUrl };
        const pdf = await renderCertificate(shown, id.length % 2 ? design : undefined);
        const { pages, runs } = readPdf(pdf);
        expect(pages).toHaveLength(1);
        for (const run of runs) {
          expect(run.glyphs).not.toContain(0);
          expect(run.x).toBeGreaterThan(40);
          expect(run.x + run.width).toBeLessThan(802);
          expect(run.y).toBeGreaterThan(40);
          expect(run.y).toBeLessThan(555);
        }
      }),
      { numRuns: 80 },
    );
  });
});
