import { LRUCache } from "lru-cache";
import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { isObjectId } from "../../lib/fields.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { findCourseOfPurchase } from "../../models/payments/purchase-queries.js";

/** Purchases of one process that may wait for their payment at once; beyond them a course is looked up when need be. */
const mostRemembered = 2_000;

/** The course of a purchase never changes, so it may be remembered. */
const coursesOfPurchases = new WeakMap<Db, LRUCache<string, string>>();

function courseMemory(db: Db): LRUCache<string, string> {
  const kept = coursesOfPurchases.get(db);
  if (kept) return kept;
  const fetchMethod = async (purchaseId: string) => {
    const courseId = await findCourseOfPurchase(db, new Types.ObjectId(purchaseId));
    return courseId && String(courseId);
  };
  const memory = new LRUCache<string, string>({ max: mostRemembered, fetchMethod });
  coursesOfPurchases.set(db, memory);
  return memory;
}

/** Lets transactions about the purchase run one after another with others about its course from the beginning. */
export function rememberCourse(db: Db, { _id, courseId }: Pick<Purchase, "_id" | "courseId">): void {
  courseMemory(db).set(String(_id), String(courseId));
}

/** Another transaction was in the way, and the course of the purchase is not known. */
class Contended extends Error {}

/**
 * Runs a transaction about a purchase. All those about one course write the course: those of this process run one
 * after another.
 * For a purchase that another instance opened, the course is looked up only when something was in the way.
 * @param purchaseId as it was reported: may be no purchase at all.
 */
export async function saleTransaction<T>(
  db: Db,
  purchaseId: string | null,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const result = await withCourseMutex(db, purchaseId, work);
  // An invoice or a credit note may wait for its number.
  db.jobWakeups.emit("Purchase");
  return result;
}

async function withCourseMutex<T>(
  db: Db,
  purchaseId: string | null,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  if (purchaseId === null || !isObjectId(purchaseId)) return db.transaction(work);
  const memory = courseMemory(db);
  const key = purchaseId.toLowerCase();
  const known = memory.get(key);
  if (known) return db.transaction(work, { mutex: `course:${known}` });
  let attempts = 0;
  try {
    return await db.transaction(async (session) => {
      attempts += 1;
      if (attempts > 1) throw new Contended();
      return work(session);
    });
  } catch (error) {
    if (!(error instanceof Contended)) throw error;
  }
  const courseId = await memory.fetch(key);
  return db.transaction(work, courseId ? { mutex: `course:${courseId}` } : {});
}
