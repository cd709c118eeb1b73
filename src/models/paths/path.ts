import type { ClientSession, Model, Types } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

/** An ordered list of courses of one educator. With a price it is sold as one: a bundle. */
export type Path = z.input<typeof pathRow>;
const pathRow = z.object({
  _id: objectIdField,
  /** User id. */
  educatorId: z.string(),
  title: z.string(),
  subtitle: z.string().nullable(),
  /** Markdown. */
  description: withDefault(z.string(), ""),
  /** In order. */
  courseIds: z.array(objectIdField),
  /** Whether its courses open one after another. */
  inOrder: z.boolean(),
  /** In the major unit of the platform's currency; null: not for sale. */
  price: z.number().nullable(),
  isPublished: z.boolean(),
  /** The present slug first, then former ones, which stay reserved. */
  slugs: z.array(z.string()),
  /** Raised by every edit, by nothing else. */
  version: withDefault(z.number(), 1),
  /** Number of active `PathEnrollment` rows. */
  learners: withDefault(z.number(), 0),
  /** When somebody last opened a purchase of it or was given it, so that this and a deletion exclude each other. */
  keptAt: timestamp.exactOptional(),
  /** Minor units over completed purchases, and their number. */
  revenueMinor: withDefault(z.number(), 0),
  completedPurchases: withDefault(z.number(), 0),
  ...rowTimes,
});

export const pathCollection = defineCollection({
  row: pathRow,
  indexes: [
    [{ slugs: 1 }, { unique: true }],
    [{ isPublished: 1, createdAt: -1, _id: -1 }], // the public list, newest first
    [{ educatorId: 1, createdAt: -1, _id: -1 }], // an educator's list
    [{ createdAt: -1, _id: -1 }], // the administrators' list
    [{ courseIds: 1 }], // the paths of a course
    [{ revenueMinor: 1 }], // covers the sum of all revenue
  ],
  holds: "an ordered list of courses that is sold as one, its price, version and figures",
  kept: "until its educator deletes it; for good once somebody has bought or got it",
  userData: {
    owner: "educatorId",
    section: "pathsTaught",
    exported: [
      "_id",
      "title",
      "subtitle",
      "description",
      "courseIds",
      "inOrder",
      "price",
      "isPublished",
      "slugs",
      "createdAt",
      "updatedAt",
    ],
    erasure: { keep: "learners have bought it; the educator's name is gone with the profile" },
  },
});

/** Sets `keptAt` before a purchase or a grant of a path is stored. @returns false when there is no such path. */
export async function keepPath(
  db: { readonly Path: Model<Path> },
  _id: Types.ObjectId,
  session: ClientSession,
): Promise<boolean> {
  const update = { $currentDate: { keptAt: true } } as const;
  const { matchedCount } = await db.Path.updateOne({ _id }, update, { session, timestamps: false });
  return matchedCount > 0;
}
