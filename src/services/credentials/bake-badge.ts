import { crc32 } from "node:zlib";

/** Length of a PNG's signature and of its first chunk, which says the size of the picture. */
const headLength = 8 + 25;

/**
 * Puts a credential into a PNG as Open Badges 3.0 asks: an uncompressed `iTXt` chunk behind the first chunk. No kept
 * library writes such chunks.
 */
export function bakeBadge(png: Buffer, credential: string): Buffer {
  return Buffer.concat([png.subarray(0, headLength), textChunk(credential), png.subarray(headLength)]);
}

/** Keyword, then four fields that stay empty: compression flag and method, language, and the keyword in that language. */
function textChunk(text: string): Buffer {
  const content = Buffer.from(`iTXtopenbadgecredential\0\0\0\0\0${text}`);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length - "iTXt".length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}
