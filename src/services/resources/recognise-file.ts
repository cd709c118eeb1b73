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
  const detected = await detect(bytes);
  const contentType = detected && byContent.get(detected);
  if (detected && contentType) return { contentType, extension: detected };
  if (detected !== undefined && detected !== "vtt") throw FileTypeNotAllowed();

  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const textType = textByName.get(extension);
  if (!textType || (extension === "vtt" && detected !== "vtt")) throw FileTypeNotAllowed();
  const text = readText(bytes);
  if (isPage(text) || (extension !== "md" && isMarkup(text))) throw FileTypeNotAllowed();
  if (extension === "vtt" && !isWebVtt(text)) throw FileTypeNotAllowed();
  return { contentType: textType, extension };
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

/** @throws FileTypeNotAllowed for bytes that are not text in UTF-8. */
function readText(bytes: Buffer): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw FileTypeNotAllowed();
  }
  // Browsers take these control characters for a sign of binary content.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are searched for
  if (/[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(text)) throw FileTypeNotAllowed();
  return text;
}

/** Whether a text begins like an HTML or SVG document. */
const isPage = (text: string): boolean =>
  /^<(?:[!?]|(?:html|head|body|script|style|iframe|svg|title|meta|link|base|object|embed|form|template)\b)/i.test(
    withoutComments(text),
  );

/** Whether a text begins with an element that browsers take for a sign of HTML. Markdown may begin with such an element. */
const isMarkup = (text: string): boolean => /^<(?:h1|div|font|table|a|b|br|p|img)\b/i.test(withoutComments(text));

function withoutComments(text: string): string {
  let rest = text.trimStart();
  while (rest.startsWith("<!--")) {
    const end = rest.indexOf("-->");
    if (end < 0) return rest;
    rest = rest.slice(end + 3).trimStart();
  }
  return rest;
}
