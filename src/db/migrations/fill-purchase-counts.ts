import type { Types } from "mongoose";
import { bare } from "../../models/bare.js";
import type { MigrationPlan } from "./migration-plan.js";

const uncounted = { purchases: { $exists: false } };

/** Documents of a step. */
const batch = 500;

/** An enrollment without the number was made by one purchase: what the server takes it for as well. */
export const fillPurchaseCounts: MigrationPlan = {
  name: "0001-fill-purchase-counts",
  about: "enrollments hold the number of their completed purchases",
  remaining: ({ Enrollment }) => bare(Enrollment).countDocuments(uncounted, { maxTimeMS: 600_000 }),
  async step({ Enrollment }, place) {
    const rows = await bare(Enrollment)
      .find(place ? { _id: { $gt: place as Types.ObjectId } } : {}, { projection: { purchases: 1 } })
      .sort({ _id: 1 })
      .limit(batch)
      .toArray();
    const ids = rows.filter(({ purchases }) => purchases === undefined).map(({ _id }) => _id);
    const fill = [{ $set: { purchases: { $cond: ["$active", 1, 0] } } }];
    // One that a purchase has counted in the meantime stays as it is.
    if (ids.length > 0) await bare(Enrollment).updateMany({ ...uncounted, _id: { $in: ids } }, fill);
    return { changed: ids.length, next: rows.length === batch ? rows.at(-1)?._id : null };
  },
};
