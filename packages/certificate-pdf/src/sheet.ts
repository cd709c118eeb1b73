import PDFDocument from "pdfkit";
import type { Brand } from "./brand.js";
import { type TextSetter, textSetter } from "./document-text.js";

type Element = PDFKit.PDFStructureElement;

/** The only page of a certificate or an invoice. Lengths are in points from the upper left corner. */
export interface Sheet {
  readonly doc: PDFKit.PDFDocument;
  readonly brand: Brand;
  readonly text: TextSetter;
  readonly width: number;
  readonly height: number;
  /**
   * Draws content for readers, in the order of the calls. `alt` describes content that is not text. `scope` says which
   * cells a header cell is about.
   */
  tagged(
    tag: string,
    draw: () => void,
    options?: { alt?: string; scope?: "Row" | "Column"; parent?: Element | undefined },
  ): void;
  /** Opens an element that contains other elements. */
  group(tag: string, parent?: Element): Element;
  /** Draws decoration that screen readers skip. */
  decoration(draw: () => void): void;
  /** Ends the document. @returns its bytes. */
  finish(): Promise<Buffer>;
}

/** Creates an empty A4 page of a tagged PDF that declares PDF/UA-1. Equal arguments give equal bytes. */
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
    font: "", // without it pdfkit opens Helvetica, which it never embeds
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
    height: doc.page.height,
    tagged(tag, draw, { parent = root, ...options } = {}) {
      parent.add(doc.struct(tag, options, draw));
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

/** Escapes the title, because pdfkit copies it into XML unchanged. */
function withoutMarkup(title: string): string {
  return title.replaceAll("&", "＆").replaceAll("<", "‹").replaceAll(">", "›");
}
