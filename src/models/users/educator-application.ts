import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

/** `approving` means that the identity provider does not know of the approval yet; it is shown as `approved`. */
const statuses = ["pending", "approving", "approved", "rejected"] as const;
export type ApplicationStatus = (typeof statuses)[number];

export const shownStatuses = ["pending", "approved", "rejected"] as const;

/** One user's application to teach. A new application after a rejection is the same row. */
export type EducatorApplication = z.input<typeof educatorApplicationRow>;
export const educatorApplicationRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  professionalTitle: z.string(),
  bio: z.string(),
  expertise: z.array(z.string()),
  linkedinUrl: withDefault(z.string(), ""),
  status: z.enum(statuses),
  rejectionReason: withDefault(z.string(), ""),
  /** Whether the applicant held the admin role when applying: the only trace of an admin whom only the token names. */
  appliedAsAdmin: withDefault(z.boolean(), false),
  /** While approving: when the next attempt at the identity provider is due, and how many there were. */
  nextAttemptAt: timestamp.nullable(),
  attempts: withDefault(z.number(), 0),
  ...rowTimes,
});

export const educatorApplicationCollection = defineCollection({
  row: educatorApplicationRow,
  indexes: [
    [{ userId: 1 }, { unique: true }],
    [{ createdAt: -1, _id: -1 }], // the admin list, newest first
    [{ status: 1, createdAt: -1, _id: -1 }], // the filtered list, the count of pending ones
    [{ status: 1, nextAttemptAt: 1 }], // what the role job has to do
    [{ updatedAt: 1 }, { partialFilterExpression: { status: "approving" } }], // how long the oldest has waited
  ],
  holds: "application to teach and its decision, one for each user",
  kept: "erasure; of an approved one the state stays",
  userData: {
    owner: "userId",
    section: "educatorApplications",
    exported: [
      "professionalTitle",
      "bio",
      "expertise",
      "linkedinUrl",
      "status",
      "rejectionReason",
      "createdAt",
      "updatedAt",
    ],
    exportedAs: {
      expertise: z.array(z.string()).optional(),
    },
    erasure: "ownStep",
  },
});

/** How clients see the state of an application. */
export const shownStatus = ({ status }: Pick<EducatorApplication, "status">): (typeof shownStatuses)[number] =>
  status === "approving" ? "approved" : status;
