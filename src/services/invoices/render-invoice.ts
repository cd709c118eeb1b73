import { type Brand, createSheet, longDate, SERIF, type Sheet, type TypefaceChain } from "@lyceum/certificate-pdf";
import type { Invoice } from "../../models/payments/invoice.js";
import { currencyDecimals, toMajor } from "../payments/price.js";

/** Names, addresses and titles may be in any script. */
const ANY: TypefaceChain = ["sans", ...SERIF];

const LEFT = 56;
const TEXT = { maxSize: 11, minSize: 7, leading: 1.35 };

/**
 * Draws an invoice or a credit note as a tagged PDF: one A4 page, all fonts embedded. Deterministic: the same document
 * gives the same bytes.
 */
export async function renderInvoice(invoice: Invoice, brand: Brand): Promise<Buffer> {
  const heading = invoice.kind === "invoice" ? "Invoice" : "Credit note";
  const sheet = createSheet(brand, `${heading} ${invoice.number}`, invoice.issuedAt, "portrait");
  drawHead(sheet, invoice, heading);
  drawParties(sheet, invoice);
  const end = drawLines(sheet, invoice);
  drawNotes(sheet, invoice, end);
  return sheet.finish();
}

function drawHead(
  { doc, brand: { palette }, text, width, tagged, decoration }: Sheet,
  { number, issuedAt, facts }: Invoice,
  heading: string,
) {
  const { seller } = facts;
  const name = text.prepare(seller.name, ANY, { ...TEXT, width: 270, height: 40, maxLines: 2, maxSize: 17 }, "Seller");
  tagged("P", () => text.block(name, LEFT, 74, { color: palette.ink, leading: 1.2 }));
  const right = width - LEFT;
  tagged("H1", () => alignRight(text, heading, right, 76, { size: 22, color: palette.main }));
  tagged("P", () => alignRight(text, `Number ${number}`, right, 98, { size: 10, color: palette.ink }));
  tagged("P", () => alignRight(text, `Date ${longDate(issuedAt)}`, right, 113, { size: 10, color: palette.ink }));
  decoration(() => doc.rect(LEFT, 132, width - 2 * LEFT, 1).fill(palette.bright));
}

function drawParties(
  { brand: { palette }, text, tagged }: Sheet,
  { facts: { seller, buyer, invoiceNumber } }: Invoice,
): void {
  const column = (x: number, label: string, lines: readonly string[]): void => {
    tagged("P", () => text.line(label, x, 156, { face: "sans", size: 8, color: palette.slate }));
    const shown = lines.filter((line) => line.trim() !== "").slice(0, 6);
    for (const [i, line] of shown.entries()) {
      const prepared = text.prepare(line, ANY, { ...TEXT, width: 225, height: 16, maxLines: 1, maxSize: 10 }, "–");
      tagged("P", () => text.block(prepared, x, 172 + i * 15, { color: palette.ink, leading: 1.2 }));
    }
  };
  const taxId = seller.taxId ? [`Tax ID ${seller.taxId}`] : [];
  column(LEFT, "From", [seller.name, ...seller.address.split("\n").slice(0, 4), ...taxId]);
  const about = invoiceNumber ? [`For invoice ${invoiceNumber}`] : [];
  column(310, "To", [buyer.name, buyer.email, ...about]);
}

/** Draws the course and the lines of its price. @returns where they end. */
function drawLines(
  { doc, brand: { palette }, text, width, tagged, decoration }: Sheet,
  { kind, facts }: Invoice,
): number {
  const right = width - LEFT;
  const money = (amountMinor: number) => formatMoney(amountMinor, facts.currency);
  const title = text.prepare(facts.courseTitle, ANY, { ...TEXT, width: 330, height: 50, maxLines: 3 }, "Course");
  decoration(() => doc.rect(LEFT, 288, right - LEFT, 22).fill(palette.mist));
  tagged("P", () => text.line("Course", LEFT + 8, 303, { face: "sans", size: 9, color: palette.slate }));
  tagged("P", () => alignRight(text, "Amount", right - 8, 303, { size: 9, color: palette.slate }));
  tagged("P", () => text.block(title, LEFT + 8, 330, { color: palette.ink, leading: TEXT.leading }));
  let y = 330;
  const row = (label: string, amount: string, style: { size: number; color: string }): void => {
    tagged("P", () => {
      const labelX = right - 110 - text.widthOf(label, { face: "sans", size: style.size });
      if (label) text.line(label, Math.max(LEFT + 8, labelX), y, { face: "sans", ...style });
      alignRight(text, amount, right - 8, y, style);
    });
    y += 20;
  };
  const plain = { size: 10, color: palette.ink };
  const bought = kind === "invoice";
  row("", money(bought ? facts.priceMinor : facts.totalMinor), plain);
  y = Math.max(y, 330 + title.lines.length * title.size * TEXT.leading) + 12;
  decoration(() => doc.rect(LEFT, y - 16, right - LEFT, 0.5).fill(palette.bright));
  if (bought && facts.discountMinor > 0) row("Discount", `-${money(facts.discountMinor)}`, plain);
  if (bought && facts.couponMinor > 0) row(`Coupon ${facts.couponCode}`, `-${money(facts.couponMinor)}`, plain);
  row(bought ? "Total" : "Total paid back", money(facts.totalMinor), { size: 13, color: palette.main });
  if (facts.tax) {
    const { name, percent, amountMinor } = facts.tax;
    row(`Includes ${name} ${percent} %`, money(amountMinor), { size: 9, color: palette.slate });
  }
  return y;
}

function drawNotes({ brand: { palette }, text, tagged }: Sheet, { kind, facts }: Invoice, end: number): void {
  const paid = kind === "invoice" ? "Paid by payment" : "Paid back to payment";
  const box = { ...TEXT, width: 480, height: 14, maxLines: 1, maxSize: 9 };
  const note = text.prepare(`${paid} ${facts.paymentId}`, ANY, box, paid);
  tagged("P", () => text.block(note, LEFT, end + 24, { color: palette.slate, leading: 1.2 }));
}

function alignRight(
  text: Sheet["text"],
  line: string,
  right: number,
  y: number,
  { size, color }: { size: number; color: string },
): void {
  const style = { face: "sans", size } as const;
  text.line(line, right - text.widthOf(line, style), y, { ...style, color });
}

/** Writes an amount such as `INR 1,299.00`, with the code of the currency, because every font has it. */
function formatMoney(amountMinor: number, currency: string): string {
  const decimals = currencyDecimals(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return `${currency} ${toMajor(amountMinor, currency).toLocaleString("en-US", digits)}`;
}
