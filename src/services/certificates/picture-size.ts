/** Type and size of a picture. */
export interface PictureSize {
  readonly type: "png" | "jpeg";
  readonly width: number;
  readonly height: number;
}

const pngStart = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

/** Reads the size of a PNG or JPEG in its header, without decoding the picture; undefined for any other file. */
export function pictureSize(bytes: Buffer): PictureSize | undefined {
  if (bytes.length >= 24 && bytes.subarray(0, 16).equals(pngStart))
    return { type: "png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? jpegSize(bytes) : undefined;
}

/** Markers of frames, which begin with the size. The others in this range are tables. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function jpegSize(bytes: Buffer): PictureSize | undefined {
  // A segment is a marker and its length, which counts itself.
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (isFrame(bytes[at + 1] ?? 0))
      return { type: "jpeg", height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return undefined;
}
