import type { Types } from "mongoose";
import type { MigrationPlan } from "./migration-plan.js";

const uncounted = { purchases: { $exists: false } };

/** Documents of a step. */
const batch = 500;

/** An enrollment without the number was made by one purchase: what the server takes it for as well. */
export const fillPurchaseCounts: MigrationPlan = {
  name: "0001-fill-purchase-counts",
  about: "enrollments hold the number of their completed purchases",
  remaining: ({ Enrollment }) => Enrollment.countDocuments(uncounted).maxTimeMS(600_000).exec(),
  async step({ Enrollment }, place) {
    const rows = await Enrollment.find(place ? { _id: { $gt: place as Types.ObjectId } } : {}, { purchases: 1 })
      .sort({ _id: 1 })
      .limit(batch)
      .lean({ defaults: false });
    const ids = rows.filter(({ purchases }) => purchases === undefined).map(({ _id }) => _id);
    for (const active of [true, false]) {
      // One that a purchase has counted in the meantime stays as it is.
      const some = { ...uncounted, _id: { $in: ids }, active };
      const fill = { $set: { purchases: active ? 1 : 0 } };
      if (ids.length > 0) await Enrollment.updateMany(some, fill, { timestamps: false });
    }
    return { changed: ids.length, next: rows.length === batch ? rows.at(-1)?._id : null };
  },
};
