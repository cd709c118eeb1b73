import {
  type Brand,
  createSheet,
  drawMark,
  drawWatermark,
  longDate,
  SERIF,
  type Sheet,
  type TypefaceChain,
} from "@lyceum/certificate-pdf";
import type { Invoice } from "../../models/payments/invoice.js";
import { currencyDecimals, toMajor } from "../payments/price.js";

/** Names, addresses and titles may be in any script. */
const ANY: TypefaceChain = ["sans", ...SERIF];

/** Distance of the content from the left and right edge, in points. */
const MARGIN = 56;
/** Distance of the text from the edge of its panel or table. */
const PADDING = 14;
const LINE = { height: 16, maxLines: 1, minSize: 6, leading: 1.2 };
const TITLE = { width: 330, height: 50, maxLines: 3, maxSize: 11.5, minSize: 7, leading: 1.35 };

type Element = ReturnType<Sheet["group"]>;

/**
 * Draws an invoice or a credit note as a tagged PDF: one A4 page, all fonts embedded. Deterministic: the same document
 * gives the same bytes.
 */
export async function renderInvoice(invoice: Invoice, brand: Brand): Promise<Buffer> {
  const heading = invoice.kind === "invoice" ? "Invoice" : "Credit note";
  const sheet = createSheet(brand, `${heading} ${invoice.number}`, invoice.issuedAt, "portrait");
  drawHead(sheet, heading);
  drawReferences(sheet, invoice, heading);
  const partiesEnd = drawParties(sheet, invoice);
  drawAmounts(sheet, invoice, Math.max(partiesEnd + 14, 300));
  drawFoot(sheet, invoice);
  return sheet.finish();
}

function drawHead({ doc, brand, text, width, tagged, decoration }: Sheet, heading: string): void {
  const { palette } = brand;
  decoration(() => {
    doc.rect(0, 0, width, 7).fill(palette.main);
    drawWatermark(doc, brand, width - MARGIN - 112, 640, 112);
  });
  const name = text.prepare(brand.name, SERIF, { ...LINE, width: 250, height: 34, maxSize: 25 }, "Platform");
  const drawLogo = () => {
    drawMark(doc, brand, MARGIN, 46, 29, palette.main);
    text.block(name, MARGIN + 38, 69, { color: palette.ink, leading: LINE.leading });
  };
  tagged("Figure", drawLogo, { alt: `${brand.name} logo` });
  const style = { face: "serif", size: 32, color: palette.main } as const;
  tagged("H1", () => text.line(heading, width - MARGIN - text.widthOf(heading, style), 71, style));
}

/** Draws number, date and payment in one panel. */
function drawReferences(sheet: Sheet, { kind, number, issuedAt, timeZone, facts }: Invoice, heading: string): void {
  const { doc, brand, width, decoration } = sheet;
  const references = [
    [`${heading} number`, number],
    ["Date of issue", longDate(issuedAt, timeZone)],
    ...(facts.invoiceNumber ? [["For invoice", facts.invoiceNumber]] : []),
    [kind === "invoice" ? "Paid by payment" : "Paid back to payment", facts.paymentId],
  ] as [string, string][];
  const inner = width - 2 * MARGIN;
  decoration(() => doc.roundedRect(MARGIN, 102, inner, 52, 6).fill(brand.palette.mist));
  const column = (inner - PADDING) / references.length;
  for (const [i, [label, value]] of references.entries()) {
    const x = MARGIN + PADDING + i * column;
    drawLabel(sheet, label, x, 122);
    drawText(sheet, value, { x, y: 140, width: column - PADDING, size: 10.5, color: brand.palette.ink });
  }
}

/** Draws seller and buyer side by side. @returns the lower end of both. */
function drawParties(sheet: Sheet, { facts: { seller, buyer } }: Invoice): number {
  const { palette } = sheet.brand;
  const column = (x: number, label: string, name: string, substitute: string, details: readonly string[]): number => {
    const parent = sheet.group("Sect");
    drawLabel(sheet, label, x, 188, parent);
    const lines = { x, width: 225, maxLines: 2, parent };
    let y = drawText(sheet, name, { ...lines, y: 208, size: 13, color: palette.ink, substitute });
    for (const line of details.filter((text) => text.trim() !== "")) {
      y = drawText(sheet, line, { ...lines, y, size: 10, color: palette.slate });
    }
    return y;
  };
  const taxId = seller.taxId ? [`Tax ID ${seller.taxId}`] : [];
  const sellerEnd = column(MARGIN, "From", seller.name, "Seller", [
    ...seller.address.split("\n").slice(0, 5),
    ...taxId,
  ]);
  return Math.max(sellerEnd, column(310, "To", buyer.name, buyer.email || "Customer", [buyer.email]));
}

/** Draws what was bought, the reductions of its price, the total and the tax as one table. */
function drawAmounts(sheet: Sheet, { kind, facts }: Invoice, top: number): void {
  const { doc, brand, text, width, tagged, group, decoration } = sheet;
  const { palette } = brand;
  const right = width - MARGIN;
  const isInvoice = kind === "invoice";
  const table = group("Table");
  const widthOfAmount = (value: string, size: number) => Math.min(text.widthOf(value, { face: "sans", size }), 170);
  const amount = (value: string, y: number, size: number, color: string, parent: Element, tag = "TD"): void => {
    const shownWidth = widthOfAmount(value, size);
    const fitted = (size * shownWidth) / text.widthOf(value, { face: "sans", size });
    const draw = () => text.line(value, right - PADDING - shownWidth, y, { face: "sans", size: fitted, color });
    tagged(tag, draw, tag === "TH" ? { parent, scope: "Column" } : { parent });
  };

  const head = group("TR", table);
  const label = { face: "sans", size: 9, color: palette.slate } as const;
  tagged("TH", () => text.line("Description", MARGIN + PADDING, top + 17, label), { parent: head, scope: "Column" });
  amount(`Amount in ${facts.currency}`, top + 17, 9, palette.slate, head, "TH");
  decoration(() => doc.rect(MARGIN, top + 26, right - MARGIN, 1.2).fill(palette.main));

  const course = group("TR", table);
  const title = text.prepare(facts.courseTitle, ANY, TITLE, "Course");
  const titleStyle = { color: palette.ink, leading: TITLE.leading };
  tagged("TH", () => text.block(title, MARGIN + PADDING, top + 49, titleStyle), { parent: course, scope: "Row" });
  amount(format(isInvoice ? facts.priceMinor : facts.totalMinor, facts.currency), top + 49, 11, palette.ink, course);
  let y = top + 49 + (title.lines.length - 1) * title.size * TITLE.leading + 18;
  decoration(() => doc.rect(MARGIN, y, right - MARGIN, 0.8).fill(palette.tint));

  const labelX = 290;
  const row = (name: string, value: string, size: number, colors: { name: string; value: string }): void => {
    const parent = group("TR", table);
    const box = {
      ...LINE,
      width: right - labelX - 3 * PADDING - widthOfAmount(value, size),
      maxSize: Math.min(size, 11),
    };
    const shown = text.prepare(name, ANY, box, "Amount");
    const style = { color: colors.name, leading: LINE.leading };
    tagged("TH", () => text.block(shown, labelX + PADDING, y, style), { parent, scope: "Row" });
    amount(value, y, size, colors.value, parent);
  };
  const reduction = (name: string, minor: number): void => {
    y += 22;
    const sign = minor < 0 ? "+" : "−";
    row(name, `${sign}${format(Math.abs(minor), facts.currency)}`, 10, { name: palette.slate, value: palette.ink });
  };
  // Without a discount, a total in whole tens of the minor unit can be above the price.
  const discount = facts.discountMinor > 0 ? "Discount" : "Rounding";
  if (isInvoice && facts.discountMinor !== 0) reduction(discount, facts.discountMinor);
  if (isInvoice && facts.couponMinor > 0) reduction(`Coupon ${facts.couponCode}`, facts.couponMinor);
  const panel = y + 14;
  decoration(() => doc.roundedRect(labelX, panel, right - labelX, 40, 6).fill(palette.mist));
  y = panel + 26;
  const total = `${facts.currency} ${format(facts.totalMinor, facts.currency)}`;
  row(isInvoice ? "Total" : "Total paid back", total, 16, { name: palette.ink, value: palette.main });
  if (!facts.tax) return;
  const { name, percent, amountMinor } = facts.tax;
  y = panel + 58;
  row(`Includes ${percent} % ${name}`, format(amountMinor, facts.currency), 9, {
    name: palette.slate,
    value: palette.slate,
  });
}

function drawFoot({ doc, brand: { palette }, text, width, height, decoration }: Sheet, invoice: Invoice): void {
  const style = { face: "sans", size: 8, color: palette.slate } as const;
  const { seller } = invoice.facts;
  decoration(() => {
    doc.rect(MARGIN, height - 62, width - 2 * MARGIN, 0.8).fill(palette.tint);
    const name = text.prepare(seller.name, ANY, { ...LINE, width: 300, maxSize: 8 }, "Seller");
    text.block(name, MARGIN, height - 44, { color: palette.slate, leading: LINE.leading });
    text.line(invoice.number, width - MARGIN - text.widthOf(invoice.number, style), height - 44, style);
  });
}

function drawLabel({ brand, text, tagged }: Sheet, label: string, x: number, y: number, parent?: Element): void {
  tagged("P", () => text.line(label, x, y, { face: "sans", size: 8, color: brand.palette.slate }), { parent });
}

interface PlacedText {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly color: string;
  readonly maxLines?: number;
  readonly parent?: Element;
  /** Stands for a text that has no letter or digit. */
  readonly substitute?: string;
}

/** Draws a text. A long text becomes smaller, then takes more lines, then ends with an ellipsis. @returns its end. */
function drawText({ text, tagged }: Sheet, value: string, options: PlacedText): number {
  const { x, y, width, size, color, maxLines = 1, parent, substitute = "–" } = options;
  const box = { ...LINE, width, height: maxLines * LINE.height, maxLines, maxSize: size };
  const prepared = text.prepare(value, ANY, box, substitute);
  tagged("P", () => text.block(prepared, x, y, { color, leading: LINE.leading }), { parent });
  return y + (prepared.lines.length - 1) * prepared.size * LINE.leading + LINE.height;
}

/** Writes an amount such as `1,299.00`. The currency is written as its code, because every font has it. */
function format(amountMinor: number, currency: string): string {
  const decimals = currencyDecimals(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return toMajor(amountMinor, currency).toLocaleString("en-US", digits);
}
