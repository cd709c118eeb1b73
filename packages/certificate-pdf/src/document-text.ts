import type { Font } from "fontkit";
import { type Box, type FittedText, fitText } from "./fit-text.js";
import { printableClusters, readableText, saysSomething } from "./printable-text.js";
import { type Cluster, isRightToLeft, type Run, visualRuns } from "./reading-order.js";
import { fontForDocument } from "./shaping.js";
import type { TypefaceChain, TypefaceName } from "./typefaces.js";

declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      /** pdfkit accepts a parsed font as well as a file, but its types name the file only. */
      registerFont(name: string, src: Font): this;
    }
  }
}

/** A text fitted into its box, with the words that screen readers and searches receive. */
export interface PreparedText extends FittedText {
  readonly readable: string;
}

/** One line of text that needs no fitting: plain Latin from this package. */
export interface PlainLine {
  readonly face: TypefaceName;
  readonly size: number;
  readonly color: string;
  /** Extra space between letters, in points. */
  readonly spacing?: number;
  readonly align?: "left" | "center";
  /** Text for screen readers and searches, in place of the drawn text. */
  readonly actual?: string;
}

export interface BlockStyle {
  readonly color: string;
  /** Distance between baselines, as a multiple of the type size. */
  readonly leading: number;
  /** True when `x` is the centre of the lines, false when it is their left edge. */
  readonly centered?: boolean;
  /** Address of the link on the text. */
  readonly link?: string | null;
}

/** Sets text on the page of one document. Positions are points from the upper left corner; `y` is the baseline. */
export interface TextSetter {
  /** Width in points. */
  widthOf(text: string, style: Pick<PlainLine, "face" | "size" | "spacing">): number;
  line(text: string, x: number, y: number, style: PlainLine): void;
  /** Fits any text into `box`. It uses `substitute` when no character of `raw` is printable. */
  prepare(raw: string, chain: TypefaceChain, box: Box, substitute: string): PreparedText;
  /** Draws a prepared text. */
  block(text: PreparedText, x: number, y: number, style: BlockStyle): void;
}

export function textSetter(doc: PDFKit.PDFDocument): TextSetter {
  const registered = new Set<TypefaceName>();
  const use = (face: TypefaceName, size: number) => {
    if (!registered.has(face)) doc.registerFont(face, fontForDocument(face));
    registered.add(face);
    return doc.font(face, size);
  };
  const widths = new Map<string, number>();
  const measureRun = (run: Run) => {
    const key = `${run.face} ${run.text}`;
    const width = widths.get(key) ?? use(run.face, 1000).widthOfString(run.text) / 1000;
    widths.set(key, width);
    return width;
  };
  const measure = (clusters: readonly Cluster[]) =>
    visualRuns(clusters).reduce((width, run) => width + measureRun(run), 0);
  const draw = (text: string, x: number, y: number, options: PDFKit.Mixins.TextOptions) =>
    doc.text(text, x, y, { ...options, lineBreak: false, baseline: "alphabetic" });
  const replacing = (actual: string, drawText: () => void) => {
    doc.markContent("Span", { actual });
    drawText();
    // Readers place this text by the coordinates in force at its end, and those of a pdfkit page are upside down.
    doc.save().transform(1, 0, 0, -1, 0, doc.page.height).endMarkedContent();
    doc.restore();
  };

  return {
    widthOf: (text, { face, size, spacing = 0 }) => use(face, size).widthOfString(text, { characterSpacing: spacing }),

    line(text, x, y, { face, size, color, spacing = 0, align = "left", actual }) {
      const left = align === "left" ? x : x - this.widthOf(text, { face, size, spacing }) / 2;
      use(face, size).fillColor(color);
      const drawLine = () => draw(text, left, y, { characterSpacing: spacing });
      if (actual) replacing(actual, drawLine);
      else drawLine();
    },

    prepare(raw, chain, box, substitute) {
      const readable = readableText(raw);
      const clusters = printableClusters(readable, chain);
      if (saysSomething(clusters)) return { ...fitText(clusters, box, measure), readable };
      const instead = printableClusters(substitute, chain);
      return { ...fitText(instead, box, measure), readable: readable || substitute };
    },

    block({ lines, size, readable }, x, y, { color, leading, centered = false, link = null }) {
      doc.fillColor(color);
      const drawLines = () =>
        lines.forEach((line, index) => {
          let left = centered ? x - (measure(line) * size) / 2 : x;
          for (const run of visualRuns(line)) {
            use(run.face, size);
            draw(run.text, left, y + index * size * leading, { link });
            left += measureRun(run) * size;
          }
        });
      // Readers take a right-to-left text from its glyphs, and turn a replacement of it around.
      if (isRightToLeft(readable)) drawLines();
      else replacing(readable, drawLines);
    },
  };
}
