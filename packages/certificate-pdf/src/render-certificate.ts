import { drawFrame, drawRule, drawWatermark } from "./artwork.js";
import type { Brand } from "./brand.js";
import type { PreparedText } from "./document-text.js";
import { drawFoot } from "./foot.js";
import { drawHeader } from "./header.js";
import { readableText } from "./printable-text.js";
import { createSheet, type Sheet } from "./sheet.js";
import { SANS, SERIF, type TypefaceChain } from "./typefaces.js";
import { drawVerificationPanel } from "./verification-panel.js";

/** The facts of a certificate. */
export interface CertificateFacts {
  certificateId: string;
  studentName: string;
  courseTitle: string;
  /** Time of completion. The certificate shows its day in UTC. */
  completionDate: Date;
  /** Absolute address of the public verification page. The QR code holds it too. */
  verifyUrl: string;
  /** When it runs out. The certificate shows the day in UTC. */
  expiresAt?: Date | undefined;
  /** Draws the word SPECIMEN across the page and no QR code. */
  isSpecimen?: true | undefined;
}

/** What makes a certificate look other than usual. Null: as usual. */
export interface CertificateDesign {
  readonly heading: string | null;
  /** The line between name and title. */
  readonly statement: string | null;
  /** The line below the title; empty: no line. */
  readonly recognition: string | null;
  /** PNG without transparency, or JPEG. */
  readonly logo: Buffer | null;
  /** Up to 3, in place of the platform's signature. */
  readonly signatories: readonly Signatory[];
}

export interface Signatory {
  readonly name: string;
  readonly title: string | null;
  /** PNG without transparency, or JPEG. */
  readonly signature: Buffer | null;
}

const usualDesign: CertificateDesign = {
  heading: null,
  statement: null,
  recognition: null,
  logo: null,
  signatories: [],
};

/** Draws a certificate as a tagged PDF: one A4 page in landscape with embedded fonts. Equal facts give equal bytes. */
export async function renderCertificate(facts: CertificateFacts, brand: Brand, design = usualDesign): Promise<Buffer> {
  const title = `Certificate of Completion: ${readableText(facts.studentName)}, ${readableText(facts.courseTitle)}`;
  const sheet = createSheet(brand, title, facts.completionDate);
  sheet.decoration(() => {
    drawWatermark(sheet.doc, brand, sheet.width / 2, 270, 126);
    drawFrame(sheet.doc, brand);
  });
  drawHeader(sheet, design);
  drawStatement(sheet, facts, design);
  drawFoot(sheet, facts, design);
  drawVerificationPanel(sheet, facts.verifyUrl, { hasCode: !facts.isSpecimen });
  if (facts.isSpecimen) drawSpecimen(sheet);
  return sheet.finish();
}

/** Upper and lower end of the space between heading and foot. */
const STATEMENT = { top: 146, bottom: 400 };
/** The smallest name is larger than all other text of the page. */
const NAME = { width: 660, height: 86, maxLines: 3, maxSize: 50, minSize: 24, leading: 1.14 };
const TITLE = { width: 620, height: 60, maxLines: 3, maxSize: 28, minSize: 14, leading: 1.22 };

/** In place of the lines between and below. */
const PHRASE = { width: 640, height: 22, maxLines: 2, maxSize: 16.5, minSize: 6, leading: 1.15 };
const REMARK = { width: 640, height: 25, maxLines: 3, maxSize: 10, minSize: 5, leading: 1.25 };

/** Stacks the name, the course and their captions around the middle of the free space. */
function drawStatement(
  { doc, brand, text, width, tagged, decoration }: Sheet,
  facts: CertificateFacts,
  { statement, recognition }: CertificateDesign,
): void {
  const { palette } = brand;
  const center = width / 2;
  const name = text.prepare(facts.studentName, SERIF, NAME, "The learner on record");
  const titleBox = { ...TITLE, maxSize: Math.min(TITLE.maxSize, name.size * 0.9) };
  const title = text.prepare(facts.courseTitle, SERIF, titleBox, "The course on record");
  const phrase = { face: "serifItalic", size: 16.5, color: palette.slate, align: "center" } as const;
  const remark = { face: "sans", size: 10, color: palette.slate, align: "center" } as const;
  const draw = (content: PreparedText, top: number, leading: number, color: string) =>
    text.block(content, center, top + content.size * (leading / 2 + 0.3), { color, leading, centered: true });
  const drawIn = (content: PreparedText, box: typeof PHRASE, top: number, height: number) =>
    draw(content, top + (height - heightOf(content, box.leading)) / 2, box.leading, palette.slate);
  const drawPhrase = (top: number) => {
    if (statement === null) text.line(COMPLETED, center, top + 15, phrase);
    else drawIn(text.prepare(statement, PHRASES, PHRASE, COMPLETED), PHRASE, top - 1, 26);
  };
  const drawRemark = (top: number) => {
    if (recognition === null) text.line(RECOGNITION, center, top + 22, remark);
    else drawIn(text.prepare(recognition, REMARKS, REMARK, RECOGNITION), REMARK, top + 5, 26);
  };
  const rows: { height: number; tag: string | null; draw: (top: number) => void }[] = [
    { height: 26, tag: "P", draw: (top) => text.line("This is to certify that", center, top + 15, phrase) },
    { height: heightOf(name, NAME.leading), tag: "P", draw: (top) => draw(name, top, NAME.leading, palette.ink) },
    { height: 28, tag: null, draw: (top) => drawRule(doc, brand, center, top + 14, 420) },
    { height: 26, tag: "P", draw: drawPhrase },
    { height: heightOf(title, TITLE.leading), tag: "P", draw: (top) => draw(title, top, TITLE.leading, palette.main) },
    ...(recognition === "" ? [] : [{ height: 26, tag: "P", draw: drawRemark }]),
  ];
  const height = rows.reduce((sum, row) => sum + row.height, 0);
  let top = (STATEMENT.top + STATEMENT.bottom - height) / 2;
  for (const row of rows) {
    const at = top;
    if (row.tag) tagged(row.tag, () => row.draw(at));
    else decoration(() => row.draw(at));
    top += row.height;
  }
}

const PHRASES: TypefaceChain = ["serifItalic", ...SERIF];
const REMARKS: TypefaceChain = [...SANS, ...SERIF];
const COMPLETED = "has successfully completed the course";
const RECOGNITION = "In recognition of the dedication shown in completing every lecture of this course.";

function heightOf(content: PreparedText, leading: number): number {
  return content.lines.length * content.size * leading;
}

/** Draws the word SPECIMEN across the page. Readers hear it first in the reading order of its place. */
function drawSpecimen({ doc, brand, text, width, height, tagged }: Sheet): void {
  const style = { face: "serif", size: 132, color: brand.palette.main, spacing: 10, align: "center" } as const;
  tagged("P", () => {
    doc
      .save()
      .rotate(-28, { origin: [width / 2, height / 2] })
      .fillOpacity(0.16);
    text.line("SPECIMEN", width / 2, height / 2 + 44, style);
    doc.restore();
  });
}
