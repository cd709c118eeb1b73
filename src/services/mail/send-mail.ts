import { Counter } from "prom-client";
import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import { backoffMs, isLoggedFailure } from "../../lib/backoff.js";
import { dayMs } from "../../lib/days.js";
import { emailKey } from "../../lib/email-address.js";
import type { Mail } from "../../models/notices/mail.js";
import { mailAddressOf } from "../../models/users/user.js";
import type { MailOutcome } from "../../providers/mail/mail-failure.js";
import type { Mailer } from "../../providers/mail.js";
import { metricOf } from "../metrics.js";
import type { NoticeType } from "../notices/notice-types.js";
import type { Subscription } from "../notices/unsubscribe.js";
import type { WriteMail } from "./write-mail.js";

/** A mail that could not be sent for this long is dropped. */
const maxAgeMs = dayMs;

const backoff = { firstMs: 15_000, maxMs: 30 * 60_000 };

/** Whether a user wants mails of a type, and the address that switches them off; null when nothing can. */
export type ReadMailPreference = (
  subscription: Subscription,
) => Promise<{ readonly isOn: boolean; readonly unsubscribeUrl: string | null }>;

const switchedOff = { isOn: false, unsubscribeUrl: null };

export interface SendDeps extends Pick<Deps, "db" | "metrics" | "log"> {
  readonly mailer: Mailer;
  readonly write: WriteMail;
  readonly readPreference: ReadMailPreference;
}

export type DueMail = Mail & Required<Pick<Mail, "nextAttemptAt">> & { readonly type: NoticeType };

/**
 * `given up`: refused, or its end is unknown. `away`: the mail server took nothing, and its answer was not about this mail.
 * `skipped`: another attempt has the mail.
 */
export type SendResult = "sent" | "given up" | "dropped" | "postponed" | "away" | "skipped";

/**
 * Makes one attempt at a due mail. A conditional update claims the mail before the call, so that no other instance sends
 * it, and no later run sends it again. The address is the verified one that the user has now.
 * @param signal cuts off a call under way.
 */
export async function sendMail(deps: SendDeps, mail: DueMail, signal: AbortSignal): Promise<SendResult> {
  const { db, mailer } = deps;
  const { _id, userId, type, attempts, nextAttemptAt } = mail;
  const user = await db.User.findById(userId, { email: 1, verifiedEmail: 1 }).lean();
  const to = user ? mailAddressOf(user) : "";
  const obstacle = await findObstacle(db, mail, to);
  if (obstacle === undefined && mailer.isResting()) return "away";
  // Asked last, because it may store a token, which an erased user must not get.
  const wish = obstacle === undefined ? await deps.readPreference({ userId, type, email: to }) : switchedOff;
  const { isOn, unsubscribeUrl } = wish;
  if (!isOn) {
    const dropped = {
      $set: { state: "dropped" as const, reason: obstacle ?? "switched off" },
      $unset: { nextAttemptAt: 1 as const },
    };
    const { modifiedCount } = await db.Mail.updateOne({ _id, state: "waiting", nextAttemptAt }, dropped);
    if (modifiedCount === 0) return "skipped";
    countMail(deps, "dropped");
    return "dropped";
  }
  const message = await deps.write(mail, unsubscribeUrl).catch((error: unknown) => String(error));
  if (typeof message === "string") {
    if (isLoggedFailure(attempts + 1)) {
      const about = { mailId: String(_id), type, attempt: attempts + 1, cause: message };
      deps.log.warn({ eventId: "mail_not_written", ...about }, "mail not written yet");
    }
    const { update } = changesOf(mail, { kind: "tryAgain", reason: message, isAway: false });
    await db.Mail.updateOne({ _id, state: "waiting", nextAttemptAt }, { ...update, $inc: { attempts: 1 } });
    return "postponed";
  }
  const claim = { $set: { state: "sending" as const }, $inc: { attempts: 1 } };
  const { modifiedCount } = await db.Mail.updateOne({ _id, state: "waiting", attempts, nextAttemptAt }, claim);
  if (modifiedCount === 0) return "skipped";
  const outcome = await mailer.send({ id: String(_id), to, unsubscribeUrl, ...message }, signal);
  await storeOutcome(deps, mail, to, outcome);
  if (outcome.kind !== "tryAgain") return outcome.kind === "accepted" ? "sent" : "given up";
  return outcome.isAway ? "away" : "postponed";
}

/** @returns why a mail cannot be sent, if it cannot. */
async function findObstacle(db: Db, { createdAt }: Mail, to: string): Promise<string | undefined> {
  if (Date.now() - createdAt.getTime() > maxAgeMs) return "too old";
  if (to === "") return "no verified address";
  return (await db.SuppressedAddress.exists({ _id: emailKey(to) })) ? "suppressed address" : undefined;
}

/** Stores the result of an attempt. A refused address is suppressed in the same transaction. */
async function storeOutcome(deps: SendDeps, mail: DueMail, to: string, outcome: MailOutcome): Promise<void> {
  const { db } = deps;
  // Another instance may have taken the attempt for lost.
  const attempt = { _id: mail._id, attempts: mail.attempts + 1, state: { $in: ["sending", "unknown"] as const } };
  const { state, update } = changesOf(mail, outcome);
  const isStored =
    outcome.kind === "refusedAddress"
      ? await db.transaction(async (session) => {
          const { matchedCount } = await db.Mail.updateOne(attempt, update, { session });
          // The mail of an erased user is gone, and the address must not come back. A former address is not kept.
          const user = await db.User.findById(mail.userId, { email: 1, verifiedEmail: 1 }).session(session).lean();
          if (matchedCount > 0 && user && emailKey(mailAddressOf(user)) === emailKey(to)) {
            const row = { $setOnInsert: { userId: mail.userId, reason: outcome.reason, createdAt: new Date() } };
            await db.SuppressedAddress.updateOne({ _id: emailKey(to) }, row, { session, upsert: true });
          }
          return matchedCount > 0;
        })
      : (await db.Mail.updateOne(attempt, update)).matchedCount > 0;
  if (isStored && state !== "waiting") countMail(deps, state);
}

const finalState = { accepted: "sent", refusedAddress: "refused", refused: "refused", unknown: "unknown" } as const;

function changesOf({ attempts }: Mail, outcome: MailOutcome) {
  const reason = "reason" in outcome ? { reason: outcome.reason } : {};
  if (outcome.kind === "tryAgain") {
    const nextAttemptAt = new Date(Date.now() + backoffMs(attempts, backoff));
    return { state: "waiting" as const, update: { $set: { state: "waiting" as const, nextAttemptAt, ...reason } } };
  }
  const state = finalState[outcome.kind];
  return { state, update: { $set: { state, ...reason }, $unset: { nextAttemptAt: 1 as const } } };
}

/** Counts a mail that has reached its end. */
export function countMail({ metrics }: Pick<Deps, "metrics">, outcome: string, count = 1): void {
  const help = "Mails that this process has sent, or that will never be sent";
  metricOf(metrics, "lyceum_mails_total", (as) => new Counter({ ...as, help, labelNames: ["outcome"] })).inc(
    { outcome },
    count,
  );
}
