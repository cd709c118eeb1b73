import { type ClientSession, Schema, Types } from "mongoose";
import { defineCollection } from "../collection.js";
import type { Models } from "../index.js";

/** The one document by which every instance sees that the list of courses has changed. */
export interface CatalogRevision {
  _id: "catalog";
  /** Another id after each edit. It is no number, because a number would come again after a failover undid an edit. */
  token: Types.ObjectId;
}

const catalogRevisionSchema = new Schema<CatalogRevision>({
  _id: { type: String, required: true },
  token: { type: Schema.Types.ObjectId, required: true },
});

export const catalogRevisionCollection = defineCollection<CatalogRevision>({
  schema: catalogRevisionSchema,
  holds: "a token that is new after each edit of the catalog",
  kept: "overwritten",
  userData: "none",
});

/**
 * Makes every instance read the list of courses again. Called in the transaction of each edit that the list shows, of a
 * course or of an educator's name or image. Figures are no such edit.
 */
export async function touchCatalog(db: Models, session: ClientSession): Promise<void> {
  const token = new Types.ObjectId();
  await db.CatalogRevision.updateOne({ _id: "catalog" }, { $set: { token } }, { session, upsert: true });
}
