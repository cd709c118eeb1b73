import { isUtf8 } from "node:buffer";
import { failure } from "../../lib/errors.js";
import { isWebVtt } from "./is-web-vtt.js";

export const FileTypeNotAllowed = failure("file_type_not_allowed", 400, "File type not allowed");

/** The type of a file, and the extension of its name in the storage. The storage serves a file by its extension. */
export interface RecognisedFile {
  readonly contentType: string;
  readonly extension: string;
}

const office = "application/vnd.openxmlformats-officedocument";

/** Allowed types by the extension that `file-type` reports. */
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

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Recognises a file by its content. Among text files the extension of the name decides, and a VTT file has to be WebVTT.
 * @throws FileTypeNotAllowed.
 */
export async function recogniseFile(bytes: Buffer, name: string): Promise<RecognisedFile> {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const textType = textByName.get(extension);
  const text = textType ? readText(bytes) : undefined;
  // Text comes first, because some signatures are two letters long, and a text may begin with them.
  if (textType && text !== undefined && !text.startsWith("%PDF-")) {
    const isRefused = extension === "md" ? isPage(text) : isMarkup(text);
    if (isRefused || (extension === "vtt" && !isWebVtt(text))) throw FileTypeNotAllowed();
    return { contentType: textType, extension };
  }
  const detected = await detect(bytes);
  const contentType = detected && byContent.get(detected);
  if (!detected || !contentType) throw FileTypeNotAllowed();
  return { contentType, extension: detected };
}

async function detect(bytes: Buffer): Promise<string | undefined> {
  // The library refuses some PNG files that browsers show, and has another name for animated PNG files.
  if (bytes.subarray(0, pngSignature.length).equals(pngSignature)) return "png";
  const { fileTypeFromBuffer } = await import("file-type");
  const type = await fileTypeFromBuffer(bytes).catch(() => {
    throw FileTypeNotAllowed();
  });
  return type?.ext;
}

/** @returns undefined for bytes that are not text in UTF-8. */
function readText(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = new TextDecoder().decode(bytes);
  // Browsers take these control characters for a sign of binary content.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are searched for
  return /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text;
}

/** Whether a text begins with markup of any kind. A link in angle brackets is none. */
const isMarkup = (text: string): boolean =>
  /^<(?:[!?/]|(?!https?:\/\/)[a-z][\w:-]*[\s/>])/i.test(withoutComments(text));

const pageElements = new Set(
  "html head body frameset script style iframe svg title meta link base object embed form template".split(" "),
);

/** Whether a text begins like an HTML or SVG document. Markdown may begin with other elements. */
function isPage(text: string): boolean {
  const [, mark, ...names] = /^<(?:([!?])|(\w+)(?::(\w+))?)/.exec(withoutComments(text)) ?? [];
  return mark !== undefined || names.some((name = "") => pageElements.has(name.toLowerCase()));
}

function withoutComments(text: string): string {
  let rest = text.trimStart();
  while (rest.startsWith("<!--")) {
    const end = rest.indexOf("-->");
    if (end < 0) return rest;
    rest = rest.slice(end + 3).trimStart();
  }
  return rest;
}
