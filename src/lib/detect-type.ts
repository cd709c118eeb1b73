import { open } from "node:fs/promises";

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Reads the first bytes of a file. */
export async function readStart(path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Detects the type of a file by its signature. @returns its usual extension; undefined for unknown content. */
export async function detectType(path: string): Promise<string | undefined> {
  // The library refuses some PNG files that browsers show, and has another name for animated PNG files.
  if (pngSignature.equals(await readStart(path, pngSignature.length))) return "png";
  const { fileTypeFromFile } = await import("file-type");
  return (await fileTypeFromFile(path).catch(() => undefined))?.ext;
}
