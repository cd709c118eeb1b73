import { randomBytes } from "node:crypto";
import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { emailKey } from "../../lib/email-address.js";
import { mailAddressOf } from "../../models/users/user.js";
import { type NoticeType, noticeTypes } from "./notice-types.js";
import { changePreferences } from "./preferences.js";

/** Mails of one type to one user, at one e-mail address. */
export interface Subscription {
  readonly userId: string;
  readonly type: NoticeType;
  readonly email: string;
}

/** Whether users can switch off mails of a type. */
export const isOptional = (type: string): type is NoticeType =>
  Object.hasOwn(noticeTypes, type) && noticeTypes[type as NoticeType].mail.when !== "always";

/**
 * Returns the address that switches off mails without a sign-in; null when nothing can. The first mail of a type to an
 * e-mail address makes its token.
 */
export async function unsubscribeUrl(
  db: Db,
  backendUrl: string,
  { userId, type, email }: Subscription,
): Promise<string | null> {
  if (!isOptional(type)) return null;
  const own = { userId, type, email: emailKey(email) };
  const known = await db.UnsubscribeToken.findOne(own).lean();
  const token = known ?? (await db.transaction((session) => makeToken(db, own, session)));
  return `${backendUrl}/unsubscribe/${token._id}`;
}

function makeToken(db: Db, own: Subscription, session: ClientSession) {
  const made = { $setOnInsert: { _id: randomBytes(32).toString("base64url"), createdAt: new Date() } };
  const options = { session, upsert: true, returnDocument: "after", timestamps: false } as const;
  return db.UnsubscribeToken.findOneAndUpdate(own, made, options).orFail().lean();
}

/** Finds what a token switches off: nothing when it is unknown, or when the user's address has changed since. */
export async function findSubscription(db: Db, token: string): Promise<Subscription | undefined> {
  const found = (await db.UnsubscribeToken.findById(token).lean()) ?? (await findFormerToken(db, token));
  if (!found || !isOptional(found.type)) return undefined;
  const { userId, type } = found;
  const user = await db.User.findById(userId, { email: 1, verifiedEmail: 1 }).lean();
  const email = user ? mailAddressOf(user) : "";
  const isSame = found.email === undefined || found.email === emailKey(email);
  return email && isSame ? { userId, type, email } : undefined;
}

/** A token of version 1.0 was one for all types of a user, and its address ends in `.<type>`. */
async function findFormerToken(db: Db, address: string) {
  const [, unsubscribeToken, type] = /^([\w-]{43})\.(\w{1,40})$/.exec(address) ?? [];
  if (unsubscribeToken === undefined || type === undefined) return null;
  const inbox = await db.Inbox.findOne({ unsubscribeToken }, { _id: 1 }).lean();
  return inbox && { userId: inbox._id, type, email: undefined };
}

/** Forgets the tokens of a user, whose e-mail address has changed. */
export async function forgetTokens(db: Db, userId: string, session: ClientSession): Promise<void> {
  await db.UnsubscribeToken.deleteMany({ userId }, { session });
  const former = { _id: userId, unsubscribeToken: { $exists: true } };
  await db.Inbox.updateOne(former, { $unset: { unsubscribeToken: 1 } }, { session });
}

/** Switches the mails of a subscription on or off. */
export async function switchMails(db: Db, { userId, type }: Subscription, mail: boolean): Promise<void> {
  await changePreferences(db, userId, { [type]: { mail } });
}

/** An e-mail address of which a reader recognises their own: `j•••@example.com`. */
export function maskedAddress(email: string): string {
  const [first = ""] = email;
  return `${first}•••${email.slice(email.lastIndexOf("@"))}`;
}
