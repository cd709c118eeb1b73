import type { Brand } from "./brand.js";

/** Draws the mark of the platform, `size` points high, with its upper left corner at (x, y). */
export function drawMark(
  doc: PDFKit.PDFDocument,
  { mark }: Brand,
  x: number,
  y: number,
  size: number,
  color: string,
): void {
  doc
    .save()
    .translate(x, y)
    .scale(size / mark.size);
  doc.path(mark.path).fill(color);
  doc.restore();
}

const OUTER_INSET = 22;
const INNER_INSET = 31;
/** Radius of the corners cut out of the inner line. */
const NOTCH_RADIUS = 17;
const BRACKET = 54;

/** Draws the frame: a strong outer line, a fine inner line with hollow corners, and a mark in each corner. */
export function drawFrame(doc: PDFKit.PDFDocument, { palette }: Brand): void {
  const { width, height } = doc.page;
  doc.lineJoin("miter").lineWidth(1.4).strokeColor(palette.main);
  doc.rect(OUTER_INSET, OUTER_INSET, width - 2 * OUTER_INSET, height - 2 * OUTER_INSET).stroke();

  const [left, top, right, bottom] = [INNER_INSET, INNER_INSET, width - INNER_INSET, height - INNER_INSET];
  const arc = (x: number, y: number) => `A ${NOTCH_RADIUS} ${NOTCH_RADIUS} 0 0 0 ${x} ${y}`;
  doc.lineWidth(0.7).strokeColor(palette.bright);
  doc
    .path(
      [
        `M ${left + NOTCH_RADIUS} ${top} H ${right - NOTCH_RADIUS} ${arc(right, top + NOTCH_RADIUS)}`,
        `V ${bottom - NOTCH_RADIUS} ${arc(right - NOTCH_RADIUS, bottom)}`,
        `H ${left + NOTCH_RADIUS} ${arc(left, bottom - NOTCH_RADIUS)}`,
        `V ${top + NOTCH_RADIUS} ${arc(left + NOTCH_RADIUS, top)} Z`,
      ].join(" "),
    )
    .stroke();

  for (const [x, y, toRight, toBottom] of [
    [OUTER_INSET, OUTER_INSET, 1, 1],
    [width - OUTER_INSET, OUTER_INSET, -1, 1],
    [OUTER_INSET, height - OUTER_INSET, 1, -1],
    [width - OUTER_INSET, height - OUTER_INSET, -1, -1],
  ] as const) {
    doc.save().translate(x, y).scale(toRight, toBottom);
    doc.lineWidth(3.2).strokeColor(palette.main);
    doc.path(`M 0 ${BRACKET} V 0 H ${BRACKET}`).stroke();
    doc.path(diamond(11, 11, 5)).fill(palette.light);
    doc.restore();
  }
}

/** Draws a large, pale rosette, over which text stays readable. */
export function drawWatermark(doc: PDFKit.PDFDocument, { palette }: Brand, x: number, y: number, radius: number): void {
  doc
    .save()
    .translate(x, y)
    .scale(radius / 100);
  doc.lineWidth(0.32).strokeColor(palette.tint);
  drawRosette(doc, WATERMARK);
  doc.restore();
}

/** Draws a rule `width` points wide that fades out to both sides, with a diamond at its centre (x, y). */
export function drawRule(doc: PDFKit.PDFDocument, { palette }: Brand, x: number, y: number, width: number): void {
  const fade = doc.linearGradient(x - width / 2, y, x + width / 2, y);
  fade.stop(0, palette.white).stop(0.25, palette.bright).stop(0.75, palette.bright).stop(1, palette.white);
  doc.rect(x - width / 2, y - 0.4, width, 0.8).fill(fade);
  doc.path(diamond(x, y, 5.5)).fill(palette.white);
  doc.path(diamond(x, y, 3.2)).fill(palette.main);
}

/** Draws the seal: a rosette of fine lines around the mark, centred at (x, y). */
export function drawSeal(doc: PDFKit.PDFDocument, brand: Brand, x: number, y: number, radius: number): void {
  const { palette } = brand;
  doc
    .save()
    .translate(x, y)
    .scale(radius / 100);
  doc.fillColor(palette.main).addContent(`${SEAL_EDGE} f`);
  doc.circle(0, 0, 88).lineWidth(1.6).strokeColor(palette.light).stroke();
  doc.lineWidth(0.9).strokeColor(palette.light);
  drawRosette(doc, SEAL_ROSETTE);
  doc.circle(0, 0, 54).fill(palette.white);
  doc.circle(0, 0, 49).lineWidth(1.6).strokeColor(palette.bright).stroke();
  doc.restore();
  const mark = radius * 0.56;
  drawMark(doc, brand, x - mark / 2, y - mark / 2, mark, palette.main);
}

/**
 * Builds the PDF operators of a smooth closed curve at the distance `radiusAt(angle)` from the origin. Every
 * certificate shares them, because building them takes longer than the rest of the drawing.
 */
function polarCurve(radiusAt: (angle: number) => number, points: number): string {
  const at = (index: number) => {
    const angle = (index / points) * 2 * Math.PI;
    return [radiusAt(angle) * Math.cos(angle), radiusAt(angle) * Math.sin(angle)] as const;
  };
  const write = ([x, y]: readonly [number, number]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  /** Returns the control point of a Catmull-Rom spline before (-1) or after (1) the point at `index`. */
  const handle = (index: number, side: 1 | -1) => {
    const [[x, y], [nextX, nextY], [lastX, lastY]] = [at(index), at(index + 1), at(index - 1)];
    return write([x + (side * (nextX - lastX)) / 6, y + (side * (nextY - lastY)) / 6]);
  };
  const segments = Array.from(
    { length: points },
    (_, index) => `${handle(index, 1)} ${handle(index + 1, -1)} ${write(at(index + 1))} c`,
  );
  return `${write(at(0))} m ${segments.join(" ")} h`;
}

const SEAL_EDGE = polarCurve((angle) => 97 + 3 * Math.cos(36 * angle), 36 * 8);

/** Draws a curve with `petals` waves `turns` times, each time a little further around. */
interface Rosette {
  readonly curve: string;
  readonly petals: number;
  readonly turns: number;
}

function rosette(petals: number, turns: number, radius: number, swing: number): Rosette {
  return { curve: polarCurve((angle) => radius + swing * Math.sin(petals * angle), petals * 12), petals, turns };
}

const SEAL_ROSETTE = rosette(12, 4, 70, 14);
const WATERMARK = rosette(9, 6, 66, 34);

function drawRosette(doc: PDFKit.PDFDocument, { curve, petals, turns }: Rosette): void {
  for (let turn = 0; turn < turns; turn++) {
    doc.save().rotate((360 / petals / turns) * turn);
    doc.addContent(`${curve} S`);
    doc.restore();
  }
}

function diamond(x: number, y: number, radius: number): string {
  return `M ${x} ${y - radius} L ${x + radius} ${y} L ${x} ${y + radius} L ${x - radius} ${y} Z`;
}
