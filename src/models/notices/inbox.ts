import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { withDefault } from "../row.js";

/** All notices up to a number were read at a moment. */
const readMark = z.object({ upTo: z.number(), at: timestamp });

/** Number of read marks that an inbox keeps. Notices below the oldest mark show its time. */
export const maxReadMarks = 20;

/** What a user wants to be told of, and how: only what differs from the defaults of the types. */
const preferencesField = z.record(
  z.string(),
  z.object({ app: z.boolean().exactOptional(), mail: z.boolean().exactOptional() }),
);
export type StoredPreferences = z.input<typeof preferencesField>;

/** The notices of one user as a whole. The first notice or the first preference creates it. */
export type Inbox = z.input<typeof inboxRow>;
const inboxRow = z.object({
  /** User id. */
  _id: z.string(),
  /** Number of unread notices in the application. */
  unread: withDefault(z.number(), 0),
  /** No notice in the application has a higher number. Each notice raises it, so that it conflicts with a read mark. */
  newest: withDefault(z.number(), 0),
  preferences: preferencesField.exactOptional(),
  /** Requests that read all notices, oldest first. */
  readMarks: withDefault(z.array(readMark), []),
  /** Secret in the addresses that switch off mail, in mails of version 1.0. Tokens have taken its place. */
  unsubscribeToken: z.string().exactOptional(),
});

export const inboxCollection = defineCollection({
  row: inboxRow,
  indexes: [[{ unsubscribeToken: 1 }, { unique: true, sparse: true }]],
  holds: "a user's number of unread notices, and preferences",
  kept: "erasure",
  userData: {
    owner: "_id",
    section: "notificationPreferences",
    exported: ["preferences", "unread", "readMarks"],
    erasure: "delete",
  },
});

/** The last number of which all notices are read. */
export const readUpTo = ({ readMarks }: Pick<Inbox, "readMarks">): number => readMarks.at(-1)?.upTo ?? 0;

/** When a read mark covered a notice first; null when none does. */
export const markedAt = ({ readMarks }: Pick<Inbox, "readMarks">, seq: number): Date | null =>
  readMarks.find(({ upTo }) => upTo >= seq)?.at ?? null;
