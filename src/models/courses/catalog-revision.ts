import { type ClientSession, type Model, Types } from "mongoose";
import { z } from "zod";
import { defineCollection } from "../collection.js";
import { objectIdField } from "../row.js";

/** The one document by which every instance sees that the list of courses has changed. */
export type CatalogRevision = z.input<typeof catalogRevisionRow>;
const catalogRevisionRow = z.object({
  _id: z.literal("catalog"),
  /** Another id after each edit. It is no number, because a number would come again after a failover undid an edit. */
  token: objectIdField,
});

export const catalogRevisionCollection = defineCollection({
  row: catalogRevisionRow,
  holds: "a token that is new after each edit of the catalog",
  kept: "overwritten",
  userData: "none",
});

/** The mutex of transactions that are sure to touch the catalog, because all of them write this document. */
export const catalogMutex = "catalog";

/**
 * Makes every instance read the list of courses again. Called in the transaction of each edit that the list shows, of a
 * course or of an educator's name or image. Figures are no such edit.
 */
export async function touchCatalog(
  db: { readonly CatalogRevision: Model<CatalogRevision> },
  session: ClientSession,
): Promise<void> {
  const token = new Types.ObjectId();
  await db.CatalogRevision.updateOne({ _id: "catalog" }, { $set: { token } }, { session, upsert: true });
}
