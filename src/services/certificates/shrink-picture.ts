import { BrokenRule } from "../../lib/errors.js";

const maxSide = 4_096;

/** Size in pixels up to which a picture is kept: 300 dpi in its place on the certificate. */
const keptSize = { width: 600, height: 240 };

/** A progressive JPEG has about ten scans. Thirty bytes make one, and each takes milliseconds of a large picture. */
const maxScans = 100;
const startOfScan = Buffer.from("ffda", "hex");

/**
 * Draws a PNG or JPEG on white, in the size that is kept. The library that draws a picture also reads its size: two
 * readers could disagree about a header, and the drawing of another size would take gigabytes.
 * @returns a PNG. @throws InvalidRequest that names the field.
 */
export async function shrinkPicture(bytes: Buffer, field: string): Promise<Buffer> {
  if (hasManyScans(bytes)) throw BrokenRule(`${field}: over ${maxScans} scans`);
  // It takes much memory, so it is loaded with the first picture.
  const { default: sharp } = await import("sharp");
  const picture = sharp(bytes, { failOn: "error" });
  const header = await picture.metadata().catch(() => undefined);
  if (header?.format !== "png" && header?.format !== "jpeg") throw BrokenRule(`${field}: not a PNG or JPEG`);
  if (Math.max(header.width, header.height) > maxSide) throw BrokenRule(`${field}: over ${maxSide} pixels a side`);
  const drawn = await picture
    .resize({ ...keptSize, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => undefined);
  if (!drawn || drawn.data.every((value) => value === 255)) throw BrokenRule(`${field}: shows nothing`);
  return sharp(drawn.data, { raw: drawn.info }).png().toBuffer();
}

/** The pixels of a JPEG never hold the marker of a scan, so that counting finds every scan that a reader could. */
function hasManyScans(bytes: Buffer): boolean {
  let count = 0;
  for (let at = bytes.indexOf(startOfScan); at !== -1; at = bytes.indexOf(startOfScan, at + 2)) count += 1;
  return count > maxScans;
}
