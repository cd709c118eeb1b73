import { readFile, stat } from "node:fs/promises";
import { detectType, readStart } from "../../lib/detect-type.js";
import { BodyTooLarge, failure } from "../../lib/errors.js";
import { findVttFault } from "./find-vtt-fault.js";
import { findCharset } from "./text-charset.js";

export const FileTypeNotAllowed = failure("file_type_not_allowed", 400, "File type not allowed");

/** The type of a file, and the extension of its name in the storage. The storage serves a file by its extension. */
export interface RecognisedFile {
  readonly contentType: string;
  readonly extension: string;
  /** The encoding of a text, unless it is UTF-8. */
  readonly charset?: string;
}

const office = "application/vnd.openxmlformats-officedocument";

/** Allowed types by their extensions. */
const byContent = new Map([
  ["pdf", "application/pdf"],
  ["zip", "application/zip"],
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["webp", "image/webp"],
  ["mp3", "audio/mpeg"],
  ["docx", `${office}.wordprocessingml.document`],
  ["pptx", `${office}.presentationml.presentation`],
  ["xlsx", `${office}.spreadsheetml.sheet`],
]);

/** Allowed types of text, whose content is alike, by the extension of the file's name. */
const textByName = new Map([
  ["txt", "text/plain"],
  ["csv", "text/csv"],
  ["md", "text/markdown"],
  ["vtt", "text/vtt"],
]);

/** Bytes at the beginning of a file in which its type shows. */
const startBytes = 65_536;

/** Bytes before the header of a PDF that its readers skip. */
const maxBytesBeforePdf = 1_024;

/** Zeros at the beginning of an MP3 that players skip. */
const maxMp3PaddingBytes = 1_048_576;

const maxVttBytes = 2 * 1_048_576;

/**
 * Recognises a file by its content. Among text files the extension of the name decides, and a VTT file has to be WebVTT.
 * @throws FileTypeNotAllowed, and BodyTooLarge for long captions.
 */
export async function recogniseFile(path: string, name: string): Promise<RecognisedFile> {
  const start = await readStart(path, startBytes);
  const named = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const extension = named === "markdown" ? "md" : named;
  const textType = textByName.get(extension);
  // Text comes first, because some signatures are two letters long, and a text may begin with them.
  const charset = textType && pdfHeaderAt(start) !== 0 ? await findCharset(path) : undefined;
  if (textType && charset) {
    if (isPage(start, charset, extension === "md" ? pageElements : htmlElements)) throw FileTypeNotAllowed();
    if (extension === "vtt") await requireVtt(path, charset);
    return { contentType: textType, extension, ...(charset !== "utf-8" && { charset }) };
  }
  const found = await binaryExtension(path, start);
  const contentType = found && byContent.get(found);
  if (!found || !contentType) throw FileTypeNotAllowed();
  return { contentType, extension: found };
}

/** Looks at a file as readers of its type do. */
async function binaryExtension(path: string, start: Buffer): Promise<string | undefined> {
  const pdfAt = pdfHeaderAt(start);
  if (pdfAt === 0) return "pdf";
  const detected = await detectType(path);
  if (detected && byContent.has(detected)) return detected;
  if (zipSignatures.includes(start.toString("hex", 0, 4))) return "zip";
  // Other bytes before the header may look like any type.
  if (pdfAt > 0 && !programs.has(detected ?? "") && !isPageInAny(start)) return "pdf";
  if (detected) return undefined;
  const isPadding = start.every((byte) => byte === 0);
  return isPaddedMp3(isPadding ? await readStart(path, maxMp3PaddingBytes + 2) : start) ? "mp3" : undefined;
}

/** An archive with and without files: `PK`, and two bytes. */
const zipSignatures = ["504b0304", "504b0506"];

/** Programs of Windows, Linux and macOS, by their usual extensions. */
const programs = new Set(["exe", "elf", "macho"]);

const pdfHeaderAt = (start: Buffer): number => start.subarray(0, maxBytesBeforePdf + 5).indexOf("%PDF-");

/** Whether a file begins with a tag, or, after zeros, with the head of a frame of MPEG layer 3. */
function isPaddedMp3(start: Buffer): boolean {
  if (start.toString("latin1", 0, 3) === "ID3") return true;
  const at = start.findIndex((byte) => byte !== 0);
  return start[at] === 0xff && ((start[at + 1] ?? 0) & 0xe6) === 0xe2;
}

async function requireVtt(path: string, charset: string): Promise<void> {
  if ((await stat(path)).size > maxVttBytes) throw BodyTooLarge();
  const fault = findVttFault(new TextDecoder(charset).decode(await readFile(path)));
  if (fault)
    throw Object.assign(FileTypeNotAllowed(), { explain: () => `body.file: line ${fault.line}: ${fault.rule}` });
}

const words = (text: string): string[] => text.split(" ");

/** Elements with which only a document begins. */
const pageElements = new Set(
  words("html head body frameset script style iframe svg title meta link base object embed form template"),
);

/** Elements with which a part of a page begins. Markdown may begin with them, too. */
const htmlElements = new Set([
  ...pageElements,
  ...words("a abbr address article aside audio b blockquote br button canvas center code dd details div dl dt em"),
  ...words(
    "fieldset figure font footer h1 h2 h3 h4 h5 h6 header hr i img input label li main marquee math nav noscript",
  ),
  ...words("ol p picture pre s section select small source span strong table tbody td textarea th tr u ul video"),
]);

/** Whether a text begins like an HTML or SVG document, or with one of the elements. */
function isPage(start: Buffer, charset: string, elements: ReadonlySet<string>): boolean {
  const text = withoutProlog(new TextDecoder(charset).decode(start));
  if (/^<!(?:doctype|--)/i.test(text)) return true;
  const [, ...names] = /^<(?:([\w-]+):)?([\w-]+)(?=[\s/>])/.exec(text) ?? [];
  // A capital letter alone is a parameter of a type, as in `<T extends Shape>`.
  return names.some((name = "") => elements.has(name.length > 1 ? name.toLowerCase() : name));
}

/** Whether readers that guess the encoding may find a page. */
const isPageInAny = (start: Buffer): boolean =>
  ["utf-8", "utf-16le", "utf-16be"].some((charset) => isPage(start, charset, htmlElements));

/** Removes comments and processing instructions from the beginning. */
function withoutProlog(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const close = rest.startsWith("<!--") ? "-->" : "?>";
    const end = /^<(?:!--|\?)/.test(rest) ? rest.indexOf(close) : -1;
    if (end < 0) return rest;
    rest = rest.slice(end + close.length).trimStart();
  }
}
