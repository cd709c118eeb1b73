import { readFile } from "node:fs/promises";
import type { Storage } from "../providers/cloudinary.js";

const file = new URL("./media/demo-lecture.webm", import.meta.url);

/** Stores the five seconds, without sound, that every demo lecture shows. @returns their address. */
export async function storeDemoFilm(storage: Storage): Promise<string> {
  return storage.put({ publicId: "lectures/demo-lecture.webm", kind: "raw", bytes: await readFile(file) });
}
