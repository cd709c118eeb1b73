import sharp from "sharp";

/** A JPEG of one colour. A progressive one has several scans. */
export const jpeg = (width: number, height: number, progressive = false): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: "#123456" } })
    .jpeg({ progressive })
    .toBuffer();

const frameAt = (bytes: Buffer) => bytes.indexOf(Buffer.from("ffc0", "hex"));

/** The segment of a JPEG that holds its size. */
export function frameOf(bytes: Buffer): Buffer {
  const at = frameAt(bytes);
  return bytes.subarray(at, at + 2 + bytes.readUInt16BE(at + 2));
}

/** Writes another size into the frame. */
export function withSize(bytes: Buffer, side: number): Buffer {
  const copy = Buffer.from(bytes);
  const frame = frameOf(copy);
  frame.writeUInt16BE(side, 5);
  frame.writeUInt16BE(side, 7);
  return copy;
}

/** Inserts bytes before the frame, and behind it. */
export function aroundFrame(bytes: Buffer, before: Buffer, behind: Buffer = Buffer.alloc(0)): Buffer {
  const [at, frame] = [frameAt(bytes), frameOf(bytes)];
  return Buffer.concat([bytes.subarray(0, at), before, frame, behind, bytes.subarray(at + frame.length)]);
}

/** A segment, such as a comment. */
export function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}
