import { drawSeal } from "./artwork.js";
import { longDate } from "./long-date.js";
import { drawPicture, fitPicture } from "./picture.js";
import type { CertificateDesign, CertificateFacts, Signatory } from "./render-certificate.js";
import type { Sheet } from "./sheet.js";
import { SANS, SERIF, type TypefaceChain } from "./typefaces.js";

const SEAL = { x: 110, y: 466, radius: 48 };
/** Beside signatories, which need room. */
const SMALL_SEAL = { x: 93, y: 468, radius: 38 };
const SIGNATURE_RULE = { y: 484, width: 122 };
const SIGNATURE = { width: 124, height: 27, maxLines: 1, maxSize: 22, minSize: 5, leading: 1.2 };
const ID = { width: 640, height: 12, maxLines: 1, maxSize: 8, minSize: 5, leading: 1.2 };
const ROLES: TypefaceChain = [...SANS, ...SERIF];
const SCRIPT: TypefaceChain = ["serifItalic", ...SERIF];

/** Draws the seal, the completion date and the signatures in one row, and the certificate id below. */
export function drawFoot(sheet: Sheet, facts: CertificateFacts, { signatories }: CertificateDesign): void {
  const { doc, brand, text, width, tagged } = sheet;
  const { palette } = brand;
  const { x, y, radius } = signatories.length > 0 ? SMALL_SEAL : SEAL;
  tagged("Figure", () => drawSeal(doc, brand, x, y, radius), { alt: `Seal of ${brand.name}` });
  if (signatories.length > 0) drawSignatories(sheet, facts, signatories);
  else drawDateAndPlatform(sheet, facts);
  const id = text.prepare(`Certificate ID ${facts.certificateId}`, SANS, ID, "Certificate");
  tagged("P", () => text.block(id, width / 2, 547, { color: palette.slate, leading: ID.leading, centered: true }));
}

function drawDateAndPlatform({ doc, brand, text, tagged, decoration }: Sheet, facts: CertificateFacts): void {
  const { palette } = brand;
  const caption = { face: "sans", size: 8, color: palette.slate, align: "center" } as const;
  const signature = text.prepare(brand.name, SCRIPT, SIGNATURE, "Platform");
  const date = text.prepare(longDate(facts.completionDate), SERIF, { ...SIGNATURE, maxSize: 15 }, "–");
  const columns = [
    { x: 238, value: date, labels: ["Date of completion", ...validity(facts)] },
    { x: 372, value: signature, labels: ["Signed for the platform"] },
  ];
  const { y, width: ruleWidth } = SIGNATURE_RULE;
  for (const { x, value, labels } of columns) {
    decoration(() => doc.rect(x - ruleWidth / 2, y, ruleWidth, 0.7).fill(palette.bright));
    tagged("P", () => {
      text.block(value, x, y - 7, { color: palette.ink, leading: SIGNATURE.leading, centered: true });
      labels.forEach((label, line) => {
        text.line(label, x, y + 13 + line * 13, caption);
      });
    });
  }
}

const validity = ({ expiresAt }: CertificateFacts): string[] =>
  expiresAt ? [`Valid until ${longDate(expiresAt)}`] : [];

/** The space of all signatories. Each one has a signature above the rule, and name and title below. */
const ROW = { left: 142, right: 444, gap: 10, dates: 421, rule: 474, signatureHeight: 36 };
const SIGNATORY_NAME = { height: 22, maxLines: 4, maxSize: 9.5, minSize: 4, leading: 1.12 };
const SIGNATORY_TITLE = { height: 32, maxLines: 7, maxSize: 7.5, minSize: 4, leading: 1.12 };
/** Widest column, so that the rule of a single signatory stays short. */
const maxColumn = 170;

function drawSignatories(
  { doc, brand, text, tagged, decoration }: Sheet,
  facts: CertificateFacts,
  signatories: readonly Signatory[],
): void {
  const { palette } = brand;
  const { left, right, gap } = ROW;
  const caption = { face: "sans", size: 8.5, color: palette.slate, align: "center" } as const;
  const dates = [`Date of completion: ${longDate(facts.completionDate)}`, ...validity(facts)].join("   ·   ");
  tagged("P", () => text.line(dates, (left + right) / 2, ROW.dates, caption));
  const space = (right - left) / signatories.length;
  const width = Math.min(maxColumn, space - gap);
  signatories.forEach(({ name, title, signature }, index) => {
    const center = left + space * (index + 0.5);
    if (signature) {
      const picture = fitPicture(doc, signature, { width: width - 8, height: ROW.signatureHeight });
      const top = ROW.rule - 4 - picture.height;
      const draw = () => drawPicture(doc, picture, center - picture.width / 2, top);
      tagged("Figure", draw, { alt: `Signature of ${name}` });
    }
    decoration(() => doc.rect(center - width / 2, ROW.rule, width, 0.7).fill(palette.bright));
    const box = { ...SIGNATORY_NAME, width };
    const printed = text.prepare(name, SERIF, box, "Signatory");
    const first = ROW.rule + 3 + printed.size;
    tagged("P", () => text.block(printed, center, first, { color: palette.ink, leading: box.leading, centered: true }));
    if (!title) return;
    const titleBox = { ...SIGNATORY_TITLE, width };
    const role = text.prepare(title, ROLES, titleBox, "");
    const below = first + (printed.lines.length - 1) * printed.size * box.leading + 3 + role.size * 1.1;
    tagged("P", () =>
      text.block(role, center, below, { color: palette.slate, leading: titleBox.leading, centered: true }),
    );
  });
}
