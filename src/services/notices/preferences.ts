import type { Db } from "../../db/db.js";
import { presentFields } from "../../lib/fields.js";
import type { Inbox, StoredPreferences } from "../../models/notices/inbox.js";
import { type Channels, type NoticeType, noticeTypeNames, noticeTypes } from "./notice-types.js";

/** Returns where a user gets the notices of a type. */
export function channelsOf(type: NoticeType, preferences: StoredPreferences | undefined): Channels {
  const { mail, defaults } = noticeTypes[type];
  return mail.when === "always" ? defaults : { ...defaults, ...preferences?.[type] };
}

export type Preferences = Record<NoticeType, Channels>;

const describe = (inbox: Pick<Inbox, "preferences"> | null): Preferences =>
  Object.fromEntries(noticeTypeNames.map((type) => [type, channelsOf(type, inbox?.preferences)])) as Preferences;

/** Reads where a user gets the notices of each type. */
export const readPreferences = async (db: Db, userId: string): Promise<Preferences> =>
  describe(await db.Inbox.findById(userId, { preferences: 1 }).lean<Pick<Inbox, "preferences">>());

export type PreferenceChanges = {
  readonly [T in NoticeType]?: { app?: boolean | undefined; mail?: boolean | undefined } | undefined;
};

/** Changes the given channels of the given types. @returns all preferences. */
export async function changePreferences(db: Db, userId: string, changes: PreferenceChanges): Promise<Preferences> {
  const fields = noticeTypeNames
    .filter((type) => noticeTypes[type].mail.when !== "always")
    .flatMap((type) =>
      Object.entries(presentFields(changes[type] ?? {})).map(([channel, on]) => [`preferences.${type}.${channel}`, on]),
    );
  if (fields.length === 0) return readPreferences(db, userId);
  const inbox = await db.transaction((session) =>
    db.Inbox.findOneAndUpdate(
      { _id: userId },
      { $set: Object.fromEntries(fields) },
      { session, upsert: true, returnDocument: "after", projection: { preferences: 1 } },
    ).lean<Pick<Inbox, "preferences">>(),
  );
  return describe(inbox);
}
