import type { Types } from "mongoose";
import type { Db } from "../../../db/db.js";
import { mergeInOrder, readInOrder } from "../../../db/read-in-order.js";
import type { OrderedList } from "../../../http/reply-with-list.js";
import {
  type ApplicationStatus,
  type EducatorApplication,
  shownStatus,
  shownStatuses,
} from "../../../models/users/educator-application.js";

/** The applications that are shown as `status`. Each stored status is read in its own index's order, and merged. */
export function applicationsNewestFirst(db: Db, status: string | undefined) {
  const sort = { createdAt: -1, _id: -1 } as const;
  return {
    read(after, size) {
      const reads = filtersFor(status).map((filter) =>
        readInOrder<EducatorApplication, EducatorApplication>(db.EducatorApplication, {
          ...{ filter, fields: {}, sort, after, size },
        }),
      );
      return mergeInOrder(reads, newestFirst, size);
    },
    keyOf: ({ createdAt, _id }) => [createdAt, _id],
    describe: async (found) => found.map((application) => ({ ...application, status: shownStatus(application) })),
  } satisfies OrderedList<EducatorApplication, [Date, Types.ObjectId], unknown>;
}

function filtersFor(status = "all"): { status?: ApplicationStatus }[] {
  if (status === "all") return [{}];
  if (status === "approved") return [{ status: "approving" }, { status: "approved" }];
  return shownStatuses.filter((one) => one === status).map((one) => ({ status: one }));
}

const newestFirst = (a: EducatorApplication, b: EducatorApplication): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || (String(a._id) < String(b._id) ? 1 : -1);
