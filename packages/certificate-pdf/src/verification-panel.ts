import { qrCode } from "./qr-code.js";
import type { Sheet } from "./sheet.js";
import { SANS } from "./typefaces.js";

/** In points. */
const PANEL = { x: 450, y: 408, width: 330, height: 116, padding: 13 };
const QR_SIDE = 88;
const ADDRESS = { width: 210, height: 36, maxLines: 5, maxSize: 8, minSize: 5, leading: 1.3 };

/** Draws the dashed panel that explains the verification by QR code or by address. */
export function drawVerificationPanel(
  { doc, brand, text, tagged, group, decoration }: Sheet,
  verifyUrl: string,
  { hasCode = true } = {},
): void {
  const { palette } = brand;
  const { x, y, width, height, padding } = PANEL;
  const left = x + padding;
  const parent = group("Sect");
  decoration(() => {
    doc.roundedRect(x, y, width, height, 6).fill(palette.mist);
    doc.roundedRect(x, y, width, height, 6).lineWidth(0.9).dash(4, { space: 3 }).stroke(palette.bright).undash();
  });
  const heading = { face: "serif", size: 13, color: palette.main } as const;
  tagged("H2", () => text.line("Verify this certificate", left, y + 23, heading), { parent });

  const explanation = { face: "sans", size: 8, color: palette.slate } as const;
  const drawExplanation = () =>
    EXPLANATION.forEach((line, index) => {
      text.line(line, left, y + 39 + index * 11.5, explanation);
    });
  tagged("P", drawExplanation, { parent });

  const address = text.prepare(verifyUrl, SANS, ADDRESS, "The address is not available");
  const drawAddress = () =>
    text.block(address, left, y + 80, { color: palette.main, leading: ADDRESS.leading, link: webAddress(verifyUrl) });
  tagged("Link", drawAddress, { parent: group("P", parent) });

  const code = hasCode ? qrCode(verifyUrl) : null;
  if (!code) return;
  const [qrLeft, qrTop] = [x + width - padding - QR_SIDE + 3, y + 8];
  const drawCode = () => {
    doc.roundedRect(qrLeft, qrTop, QR_SIDE, QR_SIDE, 3).fill(palette.white);
    const module = QR_SIDE / code.size;
    for (const bar of code.bars) {
      doc.rect(qrLeft + bar.x * module, qrTop + bar.y * module, bar.width * module, module);
    }
    doc.fill(palette.ink);
  };
  tagged("Figure", drawCode, { parent, alt: "QR code that holds the verification address" });
  const caption = { face: "sans", size: 7.5, color: palette.main, align: "center" } as const;
  tagged("Caption", () => text.line("Scan to verify", qrLeft + QR_SIDE / 2, y + height - 9, caption), { parent });
}

const EXPLANATION = [
  "Scan the code with a phone, or open the address",
  "below in a browser. The page shows the name, the",
  "course and the dates as they were recorded.",
];

/** Links only a web address. */
function webAddress(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url && ["http:", "https:"].includes(url.protocol) ? url.href : null;
}
