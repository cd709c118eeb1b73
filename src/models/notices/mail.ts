import { Types } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

/**
 * How far a mail has come. `sending`: the message may be on its way, so that it is never sent again. `unknown`: the server's
 * answer to the message never came. `refused`: the server will never take it. `dropped`: no longer wanted, or too old.
 */
export const mailStates = ["waiting", "sending", "sent", "unknown", "refused", "dropped"] as const;

/** One mail to one user: about a notice, or a daily digest. */
export type Mail = z.input<typeof mailRow>;
const mailRow = z.object({
  /** The id of the notice, if there is one. */
  _id: objectIdField,
  userId: z.string(),
  /** User id of whose turn it is: the educator who wrote the announcement, or else the recipient. Old rows lack it. */
  ownerId: z.string().exactOptional(),
  /** The type of the notice. */
  type: z.string(),
  title: z.string(),
  /** Plain text; Markdown of an announcement. */
  body: withDefault(z.string(), ""),
  /** Where the mail leads; null: nowhere. */
  link: z.string().nullable(),
  /** Names the cause of the notice, such as the id of an invoice. Absent in a digest. */
  cause: z.string().exactOptional(),
  state: withDefault(z.enum(mailStates), "waiting"),
  /** When the mail is due. During an attempt it stays, so that a lost attempt is found. Absent at the end. */
  nextAttemptAt: timestamp.exactOptional(),
  attempts: withDefault(z.number(), 0),
  /** Why it was not sent, in a few words; it may quote the mail server. */
  reason: z.string().exactOptional(),
  /** Of a digest: its type, user and day. */
  key: z.string().exactOptional(),
  ...rowTimes,
});

/** Filters the mails that wait or are on their way. */
export const unfinishedMails = { nextAttemptAt: { $gt: new Date(0) } };

export const mailCollection = defineCollection({
  row: mailRow,
  // A failover must not take back that a mail is on its way, or it would be sent twice.
  options: { writeConcern: { w: "majority" } },
  indexes: [
    [{ nextAttemptAt: 1 }, { sparse: true }],
    [{ ownerId: 1, nextAttemptAt: 1 }], // whose turn it is, and what an educator's erasure takes out
    [{ type: 1, nextAttemptAt: 1 }, { partialFilterExpression: unfinishedMails }], // receipts
    [{ state: 1 }, { partialFilterExpression: { state: "sending" } }],
    [{ key: 1 }, { unique: true, sparse: true }],
    [{ createdAt: 1, _id: 1 }, { partialFilterExpression: unfinishedMails }], // the oldest unfinished one
    [{ userId: 1 }],
    [{ createdAt: 1 }, { expireAfterSeconds: 30 * 86_400 }],
  ],
  holds: "a mail to a user, and whether it has left",
  kept: "30 days; erasure",
  userData: {
    owner: "userId",
    section: "mails",
    exported: ["type", "title", "body", "link", "state", "createdAt"],
    erasure: "delete",
  },
});

/** A mail that is due at once. */
export function newMail(
  mail: Pick<Mail, "userId" | "type" | "title" | "body" | "link" | "cause"> & {
    _id?: Types.ObjectId;
    ownerId?: string;
  },
  now = new Date(),
): Mail {
  return {
    _id: new Types.ObjectId(),
    state: "waiting",
    attempts: 0,
    ownerId: mail.userId,
    nextAttemptAt: now,
    createdAt: now,
    updatedAt: now,
    ...mail,
  };
}

/** The secret in an address that switches off one user's mails of one type, as long as they go to one e-mail address. */
const unsubscribeTokenRow = z.object({
  /** The secret. */
  _id: z.string(),
  userId: z.string(),
  /** The type of the notices. */
  type: z.string(),
  /** The e-mail address in the form of `emailKey`. */
  email: z.string(),
  createdAt: rowTimes.createdAt,
});

export const unsubscribeTokenCollection = defineCollection({
  row: unsubscribeTokenRow,
  indexes: [[{ userId: 1, type: 1, email: 1 }, { unique: true }]],
  holds: "a secret that switches off a user's mails of a type",
  kept: "until the address changes; erasure",
  userData: {
    owner: "userId",
    section: "unsubscribeTokens",
    exported: ["type", "email", "createdAt"],
    erasure: "delete",
  },
});

/** Time after which an address that was refused may get mail again. */
const keptDays = 90;

/** An address that a mail server has refused for good. No mail goes there. */
const suppressedAddressRow = z.object({
  /** The address in the form of `emailKey`. */
  _id: z.string(),
  /** The user whose mail was refused. */
  userId: z.string(),
  /** The answer of the mail server. */
  reason: z.string(),
  createdAt: rowTimes.createdAt,
});

export const suppressedAddressCollection = defineCollection({
  row: suppressedAddressRow,
  indexes: [[{ userId: 1 }], [{ createdAt: 1 }, { expireAfterSeconds: keptDays * 86_400 }]],
  holds: "an address that refuses mail",
  kept: `${keptDays} days; until the user changes the address; erasure`,
  // An erasure also removes the addresses that the user has now, whoever had them before (erase-addresses.ts).
  userData: {
    owner: "userId",
    section: "suppressedAddresses",
    exported: ["_id", "reason", "createdAt"],
    erasure: "delete",
  },
});
