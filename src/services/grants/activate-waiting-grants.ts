import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { setActivationDue } from "../../models/enrollments/grant.js";
import { activateGrants } from "./activate-grants.js";
import { findRecipient } from "./find-recipients.js";

/** Addresses of one run. */
const maxAddresses = 100;
/** Longer than usual, because one transaction counts a student in up to a hundred courses that others are buying. */
const deadlineMs = 20_000;

/**
 * Activates the grants that identity events have left waiting, one transaction for each chunk.
 * @returns the number of transactions. @throws the first error, after it has gone through the other addresses.
 */
export async function activateWaitingGrants(db: Db, signal: AbortSignal): Promise<number> {
  let done = 0;
  const due = { nextActivationAt: { $lte: new Date() } };
  const recipients = await db.Recipient.find(due, { _id: 1 }).sort({ nextActivationAt: 1 }).limit(maxAddresses).lean();
  const errors: unknown[] = [];
  for (const { _id: email } of recipients) {
    try {
      let isMore = true;
      while (isMore && !signal.aborted) {
        isMore = await activateNext(db, email);
        done += 1;
      }
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return done;
}

/** @returns whether more grants may wait for the address. */
function activateNext(db: Db, email: string): Promise<boolean> {
  const activate = async (session: ClientSession) => {
    const userId = await findRecipient(db, session, email);
    if (userId !== undefined) return activateGrants(db, session, userId, email);
    // The user has changed the address or is gone: the grants wait for the next event that brings it.
    await setActivationDue(db, email, false, session);
    return false;
  };
  return db.transaction(activate, { deadlineMs });
}
