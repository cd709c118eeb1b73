import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { MutexKey, TransactionOptions } from "../../db/transaction.js";
import { type Sold, soldId } from "../../models/payments/purchase.js";

/** Thrown by a transaction that has to start again. */
class Contended extends Error {}

/** Limit of a sale of a path, which writes up to twenty courses that others are buying. */
const pathDeadlineMs = 10_000;

/**
 * Runs the transactions of a course, or of a path, one after another, each as long as it may take.
 * @param sold undefined while it is not known: it may be a path.
 */
export const turnOfSale = (sold: Sold | undefined): TransactionOptions => ({
  ...(sold && { mutex: mutexOfSale(sold) }),
  ...((!sold || sold.pathId) && { deadlineMs: pathDeadlineMs }),
});

/** What the transactions of a sale share with those of other learners: they all write the course, or the path. */
export const mutexOfSale = (sold: Sold): MutexKey => `${sold.pathId ? "path" : "course"}:${soldId(sold)}`;

/**
 * Runs a transaction about a sale. Transactions of this process about one course, or one path, run one after another.
 * @param sold what was sold, or reads it. It is read only after a conflict, because most sales meet none.
 */
export async function saleTransaction<T>(
  db: Db,
  sold: Sold | (() => Promise<Sold | undefined>),
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const inTurn = (known: Sold | undefined) => db.transaction(work, turnOfSale(known));
  let attempts = 0;
  const once = (session: ClientSession) => {
    if (attempts++ > 0) throw new Contended();
    return work(session);
  };
  const alone = async (read: () => Promise<Sold | undefined>) =>
    db.transaction(once, turnOfSale(undefined)).catch(async (error: unknown) => {
      if (error instanceof Contended) return inTurn(await read());
      throw error;
    });
  const result = await (typeof sold === "function" ? alone(sold) : inTurn(sold));
  // An invoice or a credit note may wait for its number, and the provider for a question.
  db.jobWakeups.emit("Purchase");
  return result;
}
