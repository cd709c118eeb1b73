import type { Deps } from "../../deps.js";
import type { DiscardedPdf } from "../../models/learning/discarded-pdf.js";
import { pdfFile } from "./draw-certificate.js";

/** Removes a PDF that no edition has: the file first, then the row. */
export async function discardPdf(
  { db, storage }: Pick<Deps, "db" | "storage">,
  { _id }: Pick<DiscardedPdf, "_id">,
): Promise<void> {
  await storage.remove(pdfFile(_id));
  await db.DiscardedPdf.deleteOne({ _id });
}
