import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import { unfinishedMails } from "../../models/notices/mail.js";
import { maxMailsAtOnce } from "../../providers/mail.js";
import { countMail, type DueMail, type ReadMailPreference, sendMail } from "./send-mail.js";
import type { WriteMail } from "./write-mail.js";

/** Number of due mails that are read at once. */
const maxBatchRows = 100;

/** Time after which a run ends, so that mails of the lost attempts of other instances are found. */
const maxRunMs = 60_000;

/** Failures in a row that were not about the mail, after which the rest waits for the next run. */
const maxAwayInARow = maxMailsAtOnce;

/** Time that mails under way have when the server stops. */
const graceMs = 5_000;

export interface DeliveryOptions {
  readonly write: WriteMail;
  readonly readPreference: ReadMailPreference;
}

/**
 * Sends the due mails, some at once, until none is due, the mail server seems away, or time is up. Only the holder of the
 * job's lease calls it, so that a mail under way at the beginning belongs to an attempt that died.
 * @returns the number of mails that came to an end.
 */
export async function deliverMails(
  deps: Pick<Deps, "db" | "metrics" | "mailer">,
  { write, readPreference }: DeliveryOptions,
  signal: AbortSignal,
): Promise<number> {
  const { db, metrics, mailer } = deps;
  let finished = await giveUpLost(deps);
  if (!mailer) return finished + (await dropAll(deps));
  const late = new AbortController();
  signal.addEventListener("abort", () => setTimeout(() => late.abort(), graceMs).unref(), { once: true });
  const send = { db, metrics, mailer, write, readPreference };
  const endsAt = Date.now() + maxRunMs;
  let awayInARow = 0;
  const isOver = (): boolean => signal.aborted || awayInARow >= maxAwayInARow || Date.now() > endsAt;
  while (!isOver()) {
    const due = await findDue(db);
    if (due.length === 0) break;
    const remaining = due.values();
    const sendInTurn = async (): Promise<void> => {
      for (const mail of remaining) {
        const result = await sendMail(send, mail, late.signal);
        if (result === "sent" || result === "failed" || result === "dropped") finished += 1;
        if (result === "away") awayInARow += 1;
        else if (result !== "dropped" && result !== "skipped") awayInARow = 0;
        if (isOver()) return;
      }
    };
    const turns = await Promise.allSettled(Array.from({ length: maxMailsAtOnce }, sendInTurn));
    const failed = turns.find((turn) => turn.status === "rejected");
    if (failed) throw failed.reason;
  }
  return finished;
}

function findDue(db: Db): Promise<DueMail[]> {
  return db.Mail.find({ state: "waiting", nextAttemptAt: { $gt: new Date(0), $lte: new Date() } })
    .sort({ nextAttemptAt: 1 })
    .limit(maxBatchRows)
    .lean<DueMail[]>()
    .exec();
}

/** Marks mails whose attempt a crash has ended. They may have left, so they are never sent again. */
async function giveUpLost(deps: Pick<Deps, "db" | "metrics">): Promise<number> {
  const lost = { $set: { state: "unknown", reason: "the attempt was cut off" }, $unset: { nextAttemptAt: 1 } } as const;
  const { modifiedCount } = await deps.db.Mail.updateMany({ state: "sending" }, lost);
  if (modifiedCount > 0) countMail(deps, "unknown", modifiedCount);
  return modifiedCount;
}

/** Drops the waiting mails of a server that sends none. */
async function dropAll(deps: Pick<Deps, "db" | "metrics">): Promise<number> {
  const dropped = { $set: { state: "dropped", reason: "mail is off" }, $unset: { nextAttemptAt: 1 } } as const;
  const { modifiedCount } = await deps.db.Mail.updateMany({ ...unfinishedMails, state: "waiting" }, dropped);
  if (modifiedCount > 0) countMail(deps, "dropped", modifiedCount);
  return modifiedCount;
}
