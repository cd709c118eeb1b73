import { drawFrame, drawMark, drawRule, drawSeal, drawWatermark } from "./artwork.js";
import type { Brand } from "./brand.js";
import type { PreparedText } from "./document-text.js";
import { longDate } from "./long-date.js";
import { readableText } from "./printable-text.js";
import { createSheet, type Sheet } from "./sheet.js";
import { SANS, SERIF } from "./typefaces.js";
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
  drawHeader(sheet);
  drawStatement(sheet, facts);
  drawFoot(sheet, facts);
  drawVerificationPanel(sheet, facts.verifyUrl);
  return sheet.finish();
}

const WORDMARK = { width: 560, height: 28, maxLines: 1, maxSize: 23, minSize: 8, leading: 1.2 };

function drawHeader({ doc, brand, text, width, tagged, decoration }: Sheet): void {
  const { palette } = brand;
  const wordmark = text.prepare(brand.name, SERIF, WORDMARK, "Platform");
  const mark = { size: 25, gap: 8 };
  const left = (width - mark.size - mark.gap - wordmark.width) / 2;
  const drawLogo = () => {
    drawMark(doc, brand, left, 54, mark.size, palette.main);
    text.block(wordmark, left + mark.size + mark.gap, 74.5, { color: palette.ink, leading: WORDMARK.leading });
  };
  tagged("Figure", drawLogo, { alt: `${brand.name} logo` });
  const actual = "Certificate of Completion"; // screen readers spell out spaced capitals
  const heading = { face: "serif", size: 22, color: palette.main, spacing: 4.4, align: "center", actual } as const;
  tagged("H1", () => text.line(actual.toUpperCase(), width / 2, 119, heading));
  decoration(() => drawRule(doc, brand, width / 2, 136, 250));
}

/** Upper and lower end of the space between heading and foot. */
const STATEMENT = { top: 146, bottom: 400 };
/** The smallest name is larger than all other text of the page. */
const NAME = { width: 660, height: 86, maxLines: 3, maxSize: 50, minSize: 24, leading: 1.14 };
const TITLE = { width: 620, height: 60, maxLines: 3, maxSize: 28, minSize: 14, leading: 1.22 };

/** Stacks the name, the course and their captions around the middle of the free space. */
function drawStatement({ doc, brand, text, width, tagged, decoration }: Sheet, facts: CertificateFacts): void {
  const { palette } = brand;
  const center = width / 2;
  const name = text.prepare(facts.studentName, SERIF, NAME, "The learner on record");
  const titleBox = { ...TITLE, maxSize: Math.min(TITLE.maxSize, name.size * 0.9) };
  const title = text.prepare(facts.courseTitle, SERIF, titleBox, "The course on record");
  const phrase = { face: "serifItalic", size: 16.5, color: palette.slate, align: "center" } as const;
  const recognition = { face: "sans", size: 10, color: palette.slate, align: "center" } as const;
  const draw = (content: PreparedText, top: number, leading: number, color: string) =>
    text.block(content, center, top + content.size * (leading / 2 + 0.3), { color, leading, centered: true });
  const rows: { height: number; tag: string | null; draw: (top: number) => void }[] = [
    { height: 26, tag: "P", draw: (top) => text.line("This is to certify that", center, top + 15, phrase) },
    { height: heightOf(name, NAME.leading), tag: "P", draw: (top) => draw(name, top, NAME.leading, palette.ink) },
    { height: 28, tag: null, draw: (top) => drawRule(doc, brand, center, top + 14, 420) },
    { height: 26, tag: "P", draw: (top) => text.line(COMPLETED, center, top + 15, phrase) },
    { height: heightOf(title, TITLE.leading), tag: "P", draw: (top) => draw(title, top, TITLE.leading, palette.main) },
    { height: 26, tag: "P", draw: (top) => text.line(RECOGNITION, center, top + 22, recognition) },
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

const COMPLETED = "has successfully completed the course";
const RECOGNITION = "In recognition of the dedication shown in completing every lecture of this course.";

function heightOf(content: PreparedText, leading: number): number {
  return content.lines.length * content.size * leading;
}

const SEAL = { x: 110, y: 466, radius: 48 };
const SIGNATURE_RULE = { y: 484, width: 122 };
const SIGNATURE = { width: 124, height: 27, maxLines: 1, maxSize: 22, minSize: 5, leading: 1.2 };
const ID = { width: 640, height: 12, maxLines: 1, maxSize: 8, minSize: 5, leading: 1.2 };

/** Draws the seal, the completion date and the signature in one row, and the certificate id below. */
function drawFoot({ doc, brand, text, width, tagged, decoration }: Sheet, facts: CertificateFacts): void {
  const { palette } = brand;
  tagged("Figure", () => drawSeal(doc, brand, SEAL.x, SEAL.y, SEAL.radius), { alt: `Seal of ${brand.name}` });
  const caption = { face: "sans", size: 8, color: palette.slate, align: "center" } as const;
  const signature = text.prepare(brand.name, ["serifItalic", ...SERIF], SIGNATURE, "Platform");
  const date = text.prepare(longDate(facts.completionDate), SERIF, { ...SIGNATURE, maxSize: 15 }, "–");
  const columns = [
    { x: 238, value: date, label: "Date of completion" },
    { x: 372, value: signature, label: "Signed for the platform" },
  ];
  const { y, width: ruleWidth } = SIGNATURE_RULE;
  for (const { x, value, label } of columns) {
    decoration(() => doc.rect(x - ruleWidth / 2, y, ruleWidth, 0.7).fill(palette.bright));
    tagged("P", () => {
      text.block(value, x, y - 7, { color: palette.ink, leading: SIGNATURE.leading, centered: true });
      text.line(label, x, y + 13, caption);
    });
  }
  const id = text.prepare(`Certificate ID ${facts.certificateId}`, SANS, ID, "Certificate");
  tagged("P", () => text.block(id, width / 2, 547, { color: palette.slate, leading: ID.leading, centered: true }));
}
