import { randomBytes } from "node:crypto";
import type { Db } from "../../db/db.js";
import { type NoticeType, noticeTypeNames, noticeTypes } from "./notice-types.js";

/** A token and a type, as the address in a mail has them. */
const addressPart = /^([\w-]{43})\.(\w{1,40})$/;

const isKnown = (type: string): type is NoticeType => Object.hasOwn(noticeTypes, type);

export const isOptional = (type: NoticeType): boolean => noticeTypes[type].mail.when !== "always";

/** What an address in a mail switches off. A mail that cannot be switched off, such as a receipt, stops all others. */
const stoppedBy = (type: NoticeType): readonly NoticeType[] =>
  isOptional(type) ? [type] : noticeTypeNames.filter(isOptional);

/** Returns the address in a mail that switches off mail without a sign-in. The token is made for the first mail of a user. */
export async function unsubscribeUrl(
  db: Db,
  backendUrl: string,
  { userId, type }: { userId: string; type: NoticeType },
): Promise<string> {
  const token = (await readToken(db, userId)) ?? (await makeToken(db, userId));
  return `${backendUrl}/unsubscribe/${token}.${type}`;
}

const readToken = async (db: Db, userId: string): Promise<string | undefined> =>
  (await db.Inbox.findById(userId, { unsubscribeToken: 1 }).lean())?.unsubscribeToken;

function makeToken(db: Db, userId: string): Promise<string> {
  const fresh = randomBytes(32).toString("base64url");
  return db.transaction(async (session) => {
    const known = await db.Inbox.findById(userId, { unsubscribeToken: 1 }).session(session).lean();
    if (known?.unsubscribeToken) return known.unsubscribeToken;
    const made = { $set: { unsubscribeToken: fresh } };
    await db.Inbox.updateOne({ _id: userId }, made, { session, upsert: true });
    return fresh;
  });
}

/** Finds the type that an address to unsubscribe is for; undefined for an unknown address. */
export async function findSubscription(db: Db, address: string): Promise<NoticeType | undefined> {
  const { token, type } = parse(address);
  return type && (await db.Inbox.exists({ unsubscribeToken: token })) ? type : undefined;
}

/** Switches off the mail that an address is for. @returns whether the address is known. */
export async function unsubscribe(db: Db, address: string): Promise<boolean> {
  const { token, type } = parse(address);
  if (!type) return false;
  const off = { $set: Object.fromEntries(stoppedBy(type).map((one) => [`preferences.${one}.mail`, false])) };
  return (await db.Inbox.updateOne({ unsubscribeToken: token }, off)).matchedCount > 0;
}

function parse(address: string): { token: string; type: NoticeType | undefined } {
  const [, token = "", type = ""] = addressPart.exec(address) ?? [];
  return { token, type: isKnown(type) ? type : undefined };
}
