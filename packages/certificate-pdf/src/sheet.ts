import PDFDocument from "pdfkit";
import type { Brand } from "./brand.js";
import { type TextSetter, textSetter } from "./document-text.js";

type Element = PDFKit.PDFStructureElement;

/** The one page of a certificate or an invoice. Lengths are points from the upper left corner. */
export interface Sheet {
  readonly doc: PDFKit.PDFDocument;
  readonly brand: Brand;
  readonly text: TextSetter;
  readonly width: number;
  /** Draws something that is read, in the order of the calls. `alt` describes what is not text. */
  tagged(tag: string, draw: () => void, options?: { alt?: string; parent?: Element }): void;
  /** Opens an element that other elements go into. */
  group(tag: string, parent?: Element): Element;
  /** Draws something that a screen reader skips. */
  decoration(draw: () => void): void;
  /** Ends the document and gives its bytes. */
  finish(): Promise<Buffer>;
}

/** An empty A4 page of a tagged PDF that declares PDF/UA-1. The same arguments give the same bytes. */
export function createSheet(
  brand: Brand,
  title: string,
  date: Date,
  layout: "landscape" | "portrait" = "landscape",
): Sheet {
  const doc = new PDFDocument({
    size: "A4",
    layout,
    margin: 0,
    font: "", // none yet; left out, pdfkit would open Helvetica, which it never embeds
    lang: "en",
    pdfVersion: "1.7",
    tagged: true,
    displayTitle: true,
    info: {
      Title: withoutMarkup(title),
      Author: brand.name,
      Creator: brand.name,
      Producer: brand.name,
      CreationDate: date,
      ModDate: date,
    },
  });
  doc.appendXML(PDF_UA_1);
  const root = doc.struct("Document");
  doc.addStructure(root);
  return {
    doc,
    brand,
    text: textSetter(doc),
    width: doc.page.width,
    tagged(tag, draw, { alt, parent = root } = {}) {
      parent.add(doc.struct(tag, alt === undefined ? {} : { alt }, draw));
    },
    group(tag, parent = root) {
      const element = doc.struct(tag);
      parent.add(element);
      return element;
    },
    decoration(draw) {
      doc.markContent("Artifact", { type: "Layout" });
      draw();
      doc.endMarkedContent();
    },
    async finish() {
      root.end();
      doc.end();
      const chunks: Buffer[] = [];
      for await (const chunk of doc) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks);
    },
  };
}

const PDF_UA_1 = `<rdf:Description xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" rdf:about="">
  <pdfuaid:part>1</pdfuaid:part>
</rdf:Description>`;

/** pdfkit copies the title into XML as it stands. */
function withoutMarkup(title: string): string {
  return title.replaceAll("&", "＆").replaceAll("<", "‹").replaceAll(">", "›");
}

const dayInUtc = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

/** Formats a day in UTC such as "21 November 2026". The month is a word so that nobody takes it for the day. */
export function longDate(date: Date): string {
  return dayInUtc.format(date);
}
