/**
 * How long a certificate and an invoice take to draw, in milliseconds, next to a PDF of one empty page with the same fonts opened,
 * measured in turns in one run. The ratio is what to compare between machines.
 *
 *     npx tsx bench/certificate.ts
 */
import { Types } from "mongoose";
import PDFDocument from "pdfkit";
import type { Invoice } from "../src/models/payments/invoice.js";
import { brandOf } from "../src/services/certificates/brand.js";
import { renderCertificate } from "../src/services/certificates/render-certificate.js";
import { fontForDocument } from "../src/services/certificates/shaping.js";
import { renderInvoice } from "../src/services/invoices/render-invoice.js";

const brand = brandOf({ name: "Lyceum", color: "#0f766e", logo: undefined });

const certificateId = "6f1c2b9e-4d3a-4c57-9a1e-2f0b8d7c6e55";
const plain = {
  certificateId,
  studentName: "Asha Rao",
  courseTitle: "Distributed Systems in Practice",
  completionDate: new Date("2026-11-21T12:00:00Z"),
  verifyUrl: `https://learn.example.org/api/certificate/verify/${certificateId}`,
};
const long = {
  ...plain,
  studentName: "Maximiliana Alexandrina Wilhelmina von Hohenzollern-Sigmaringen de la Cruz y Fernández-Villaverde",
  courseTitle: "हिन्दी में डेटा विज्ञान: शून्य से शिखर तक, उदाहरणों और अभ्यासों के साथ",
};

const invoice: Invoice = {
  ...{ _id: new Types.ObjectId(), kind: "invoice", number: "INV-2026-27-000001", purchaseId: new Types.ObjectId() },
  ...{ refundId: null, issuedAt: plain.completionDate, createdAt: plain.completionDate },
  facts: {
    seller: { name: "Lyceum Learning Pvt Ltd", address: "1 School Lane\nBengaluru 560001", taxId: "29ABCDE1234F1Z5" },
    buyer: { name: plain.studentName, email: "asha@example.com" },
    ...{ courseTitle: plain.courseTitle, currency: "INR", priceMinor: 249_900, discountMinor: 49_980 },
    ...{ couponMinor: 10_000, couponCode: "WELCOME10", totalMinor: 189_920, paymentId: "pay_0123456789abcd" },
    ...{ tax: { name: "GST", percent: 18, amountMinor: 28_971 }, invoiceNumber: null },
  },
};

async function emptyPage(): Promise<void> {
  const doc = new PDFDocument({ size: "A4", layout: "landscape", margin: 0, font: "" });
  for (const face of ["serif", "serifItalic", "sans"] as const) {
    doc.registerFont(face, fontForDocument(face));
    doc.font(face, 10).text(".", 0, 0, { lineBreak: false });
  }
  doc.end();
  await doc.toArray();
}

const cases = {
  "empty page": emptyPage,
  certificate: () => renderCertificate(plain, brand),
  "certificate, long texts": () => renderCertificate(long, brand),
  invoice: () => renderInvoice(invoice, brand),
};
const times = new Map<string, number[]>(Object.keys(cases).map((name) => [name, []]));
const started = performance.now();
await renderCertificate(plain, brand);
console.log(`first certificate of the process: ${(performance.now() - started).toFixed(1)} ms`);
for (let round = 0; round < 300; round++) {
  for (const [name, draw] of Object.entries(cases)) {
    const start = performance.now();
    await draw();
    if (round >= 50) times.get(name)?.push(performance.now() - start);
  }
}

const sorted = (name: string) => (times.get(name) ?? []).sort((a, b) => a - b);
const median = (values: number[]) => values[Math.floor(values.length / 2)] ?? Number.NaN;
const empty = median(sorted("empty page"));
for (const name of times.keys()) {
  const values = sorted(name);
  const [middle, least] = [median(values), values[0] ?? Number.NaN];
  const relative = (middle / empty).toFixed(1);
  console.log(`${name}: median ${middle.toFixed(2)} ms (fastest ${least.toFixed(2)}), ${relative} times an empty page`);
}
