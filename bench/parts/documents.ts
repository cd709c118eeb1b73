import { Types } from "mongoose";
import PDFDocument from "pdfkit";
import type { Invoice } from "../../src/models/payments/invoice.js";
import { brandOf } from "../../src/services/certificates/brand.js";
import { renderCertificate } from "../../src/services/certificates/render-certificate.js";
import { fontForDocument } from "../../src/services/certificates/shaping.js";
import { renderInvoice } from "../../src/services/invoices/render-invoice.js";
import { inTurns, median, spread } from "../measure/figures.js";
import type { Part } from "../part.js";

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

const drawings: Record<string, () => Promise<unknown>> = {
  "an empty page with the same fonts": emptyPage,
  certificate: () => renderCertificate(plain, brand),
  "certificate, long texts": () => renderCertificate(long, brand),
  invoice: () => renderInvoice(invoice, brand),
};

/** How long PDFs take to draw. */
export const documents: Part = {
  about: "drawing a certificate and an invoice beside an empty page with the same fonts",
  async run({ quick, rounds }) {
    const began = performance.now();
    await renderCertificate(plain, brand);
    const first = performance.now() - began;
    const amount = quick ? 5 : 25;
    const measures = Object.entries(drawings).map(([name, draw]) => [
      name,
      async () => {
        const { user, system } = process.cpuUsage();
        for (let n = 0; n < amount; n += 1) await draw();
        const used = process.cpuUsage();
        return (used.user + used.system - user - system) / 1_000 / amount;
      },
    ]);
    await inTurns(1, Object.fromEntries(measures));
    const figures: Record<string, number[]> = await inTurns(rounds, Object.fromEntries(measures));
    const [empty = []] = Object.values(figures);
    const rows = Object.entries(figures).map(([name, taken]) => ({
      ...{ drawing: name, "CPU ms": median(taken), spread: spread(taken) },
      "times an empty page": median(taken) / median(empty),
    }));
    const note = `Medians of ${rounds} rounds of ${amount} each. The first certificate of a process took ${first.toFixed(0)} ms, fonts included.`;
    return [{ title: "Drawing PDFs", note, rows }];
  },
};
