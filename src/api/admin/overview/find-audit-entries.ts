import type { Db } from "../../../db/db.js";
import { cutPage } from "../../../http/pages.js";
import { isObjectId } from "../../../lib/fields.js";
import type { AuditEntry } from "../../../models/audit-entry.js";

/** A page of what administrators did and of how roles changed, newest first. @param before id of an entry: older ones */
export async function findAuditEntries(
  db: Db,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<{ entries: AuditEntry[]; nextBefore: string | null }> {
  const last =
    before === undefined
      ? undefined
      : isObjectId(before) && (await db.AuditEntry.findById(before, { createdAt: 1 }).lean());
  if (last === null || last === false) return { entries: [], nextBefore: null };
  const older = last && {
    createdAt: { $lte: last.createdAt },
    $or: [{ createdAt: { $lt: last.createdAt } }, { _id: { $lt: last._id } }],
  };
  const found = await db.AuditEntry.find(older ?? {})
    .sort({ createdAt: -1, _id: -1 })
    .limit(limit + 1)
    .lean<AuditEntry[]>();
  const { rows: entries, hasMore } = cutPage(found, limit);
  return { entries, nextBefore: hasMore ? String(entries.at(-1)?._id) : null };
}
