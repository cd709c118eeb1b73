import { z } from "zod";
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
