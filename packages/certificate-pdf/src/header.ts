import { drawMark, drawRule } from "./artwork.js";
import { drawPicture, fitPicture } from "./picture.js";
import type { CertificateDesign } from "./render-certificate.js";
import type { Sheet } from "./sheet.js";
import { SERIF } from "./typefaces.js";

const WORDMARK = { width: 560, height: 28, maxLines: 1, maxSize: 23, minSize: 8, leading: 1.2 };
const HEADING = { width: 640, height: 28, maxLines: 1, maxSize: 22, minSize: 7, leading: 1.2 };
/** The course's logo and the space to the platform's mark. */
const LOGO = { width: 150, height: 36, middle: 66, gap: 18 };
const HEADING_Y = 119;

/** Draws the platform's mark and name with the course's logo beside them, and the heading below. */
export function drawHeader(
  { doc, brand, text, width, tagged, decoration }: Sheet,
  { heading, logo }: Pick<CertificateDesign, "heading" | "logo">,
): void {
  const { palette } = brand;
  const picture = logo && fitPicture(doc, logo, LOGO);
  const logoWidth = picture ? picture.width + LOGO.gap : 0;
  const wordmark = text.prepare(brand.name, SERIF, { ...WORDMARK, width: WORDMARK.width - logoWidth }, "Platform");
  const mark = { size: 25, gap: 8 };
  const left = (width - logoWidth - mark.size - mark.gap - wordmark.width) / 2;
  if (picture) {
    const drawCourseLogo = () => drawPicture(doc, picture, left, LOGO.middle - picture.height / 2);
    tagged("Figure", drawCourseLogo, { alt: "Logo of the course" });
    const ruleX = left + picture.width + LOGO.gap / 2;
    decoration(() => doc.rect(ruleX, LOGO.middle - 14, 0.7, 28).fill(palette.bright));
  }
  const markLeft = left + logoWidth;
  const drawLogo = () => {
    drawMark(doc, brand, markLeft, 54, mark.size, palette.main);
    text.block(wordmark, markLeft + mark.size + mark.gap, 74.5, { color: palette.ink, leading: WORDMARK.leading });
  };
  tagged("Figure", drawLogo, { alt: `${brand.name} logo` });
  tagged("H1", () => {
    if (heading === null) {
      const actual = "Certificate of Completion"; // screen readers spell out spaced capitals
      const style = { face: "serif", size: 22, color: palette.main, spacing: 4.4, align: "center", actual } as const;
      text.line(actual.toUpperCase(), width / 2, HEADING_Y, style);
      return;
    }
    const prepared = text.prepare(heading, SERIF, HEADING, "Certificate of Completion");
    text.block(prepared, width / 2, HEADING_Y, { color: palette.main, leading: HEADING.leading, centered: true });
  });
  decoration(() => drawRule(doc, brand, width / 2, 136, 250));
}
