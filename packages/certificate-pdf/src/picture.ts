declare global {
  namespace PDFKit.Mixins {
    interface PDFImage {
      /** Reads a picture once. The types of pdfkit leave it out, and that `image` draws what it returns. */
      openImage(src: Buffer): OpenedPicture;
      image(src: OpenedPicture, x: number, y: number, options: ImageOption): this;
    }
  }
}

interface OpenedPicture {
  readonly width: number;
  readonly height: number;
}

/** A picture in the size in which it is drawn, in points. */
export interface FittedPicture {
  readonly opened: OpenedPicture;
  readonly width: number;
  readonly height: number;
}

/** Fits a PNG or JPEG into an area, in its proportions. */
export function fitPicture(
  doc: PDFKit.PDFDocument,
  content: Buffer,
  area: { readonly width: number; readonly height: number },
): FittedPicture {
  const opened = doc.openImage(content);
  const scale = Math.min(area.width / opened.width, area.height / opened.height);
  return { opened, width: opened.width * scale, height: opened.height * scale };
}

/** Draws a picture with its upper left corner at (x, y). */
export function drawPicture(
  doc: PDFKit.PDFDocument,
  { opened, width, height }: FittedPicture,
  x: number,
  y: number,
): void {
  doc.image(opened, x, y, { width, height });
}
