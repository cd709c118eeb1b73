import { createReadStream } from "node:fs";
import { readStart } from "../../lib/detect-type.js";

/** Bytes whose letters decide on the encoding. */
const sampleBytes = 16_384;
/** Shorter samples are repeated, because the library does not judge few letters. */
const judgedBytes = 2_000;

/** Encodings of one byte a letter that people save texts in, as the library names them. */
const oneByte = new Set([
  ...["windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255", "windows-1256"],
  ...["windows-1257", "windows-1258", "ISO-8859-1", "ISO-8859-2", "ISO-8859-5", "ISO-8859-6", "ISO-8859-7"],
  ...["ISO-8859-8", "ISO-8859-9", "KOI8-R"],
]);
/** Encodings of several bytes a letter, with the length of a sample from which on they can be told from others. */
const severalBytes = new Map([
  ["Shift_JIS", 0],
  ["GB18030", 0],
  ["EUC-KR", 0],
  ["Big5", 32],
  ["EUC-JP", 32],
]);
/** The confidence of the library in a text of several bytes a letter that it has found no fault in. */
const unsure = 10;

/** Control characters that browsers take for a sign of binary content, and bytes that Windows-1252 does not have. */
const binary = /[^\P{Cc}\t\n\f\r\u0080-\u009f]|[\u0081\u008d\u008f\u0090\u009d]/u;
/** Logs of terminals hold it. */
const escapeCharacter = String.fromCharCode(0x1b);
const isBinary = (text: string): boolean => binary.test(text.replaceAll(escapeCharacter, ""));
/** Encodings of Latin letters, as the library names them. */
const latin = /^(windows-125[02478]|ISO-8859-[129])$/;
/** Fewer letters than these tell no Western language from another one. */
const fewLetters = 8;
const noLetter = /[\p{Cn}\p{Co}]/u;
const asciiBesideOther = /[a-z]\P{ASCII}|\P{ASCII}[a-z]/iu;
const halfWidth = /[\uff61-\uff9f]/;

/**
 * Finds the encoding of a text file: UTF-8, UTF-16 with or without a byte order mark, or one of the older encodings that
 * the letters of the text point to. @returns its name in a `charset`; undefined for a file that is no text.
 */
export async function findCharset(path: string): Promise<string | undefined> {
  const start = await readStart(path, sampleBytes);
  if (start[0] === 0xff && start[1] === 0xfe) return ifText(path, "utf-16le");
  if (start[0] === 0xfe && start[1] === 0xff) return ifText(path, "utf-16be");
  const isUtf8 = await ifText(path, "utf-8");
  if (isUtf8) return isUtf8;
  const charset = start.includes(0) ? utf16WithoutMark(start) : await olderCharset(await readSample(path));
  return charset && ifText(path, charset);
}

/** @returns the encoding if the whole file is text in it. */
async function ifText(path: string, charset: string): Promise<string | undefined> {
  const decoder = new TextDecoder(charset, { fatal: true });
  try {
    for await (const piece of createReadStream(path)) {
      if (isBinary(decoder.decode(piece, { stream: true }))) return undefined;
    }
    decoder.decode();
    return charset;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Spaces, digits and line ends tell the order of the bytes. */
function utf16WithoutMark(start: Buffer): string | undefined {
  const count = (charset: string) => decodeStart(start, charset)?.match(/[\n\r\t -~]/g)?.length ?? 0;
  const [little, big] = [count("utf-16le"), count("utf-16be")];
  if (little === 0 && big === 0) return undefined;
  return little >= big ? "utf-16le" : "utf-16be";
}

/** The beginning of a text; undefined when it is none in this encoding. The last letter may be cut. */
function decodeStart(start: Buffer, charset: string): string | undefined {
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(start, { stream: true });
    return isBinary(text) || noLetter.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Reads from the first byte on that is no ASCII, and the byte before it. */
async function readSample(path: string): Promise<Buffer> {
  let sample = Buffer.alloc(0);
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    const from = sample.length > 0 ? 0 : piece.findIndex((byte) => byte >= 0x80);
    if (from >= 0) sample = Buffer.concat([sample, piece.subarray(Math.max(0, from - 1))]);
    if (sample.length >= sampleBytes) break;
  }
  return sample.subarray(0, sampleBytes);
}

/** Letters of Western languages stand alone among ASCII, or two between ASCII letters: `é`, `öß`. */
function looksWestern(sample: Buffer): boolean {
  const runs = sample.toString("latin1").matchAll(/(.?)([\u0080-\u00ff]+)(.?)/gs);
  return [...runs].every(
    ([, before = "", run = "", after = ""]) =>
      run.length === 1 || (run.length === 2 && /[a-z]/i.test(before) && /[a-z]/i.test(after)),
  );
}

async function olderCharset(sample: Buffer): Promise<string | undefined> {
  if (sample.length === 0) return undefined;
  const isWestern = looksWestern(sample);
  if (isWestern && sample.filter((byte) => byte >= 0x80).length < fewLetters) return "windows-1252";
  const japanese = decodeStart(sample, "shift_jis");
  const hasJapaneseBytes = sample.some((byte) => byte >= 0x81 && byte <= 0x9f);
  if (japanese && hasJapaneseBytes && !halfWidth.test(japanese) && !asciiBesideOther.test(japanese)) return "shift_jis";
  const { analyse } = await import("chardet");
  const repeated = Array<Buffer>(Math.ceil(judgedBytes / sample.length)).fill(
    Buffer.concat([sample, Buffer.from("\n")]),
  );
  const found = analyse(Buffer.concat(repeated)).find(({ name, confidence }) => {
    const text = decodeStart(sample, name);
    if (isWestern && !latin.test(name)) return false;
    if (text === undefined || oneByte.has(name)) return text !== undefined;
    const isLongEnough = sample.length >= (severalBytes.get(name) ?? Number.POSITIVE_INFINITY);
    const isDoubtful = confidence <= unsure && (halfWidth.test(text) || asciiBesideOther.test(text));
    return isLongEnough && !isDoubtful;
  });
  return new TextDecoder(found?.name ?? "windows-1252").encoding;
}
