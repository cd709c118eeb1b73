import { createBrand } from "@lyceum/certificate-pdf/brand";
import type { Deps } from "../../deps.js";
import { unfinishedMails } from "../../models/notices/mail.js";
import { frontendLinks } from "../notices/frontend-links.js";
import { noticeTypeNames } from "../notices/notice-types.js";
import { readPreferences } from "../notices/preferences.js";
import { isOptional, type Subscription, unsubscribeUrl } from "../notices/unsubscribe.js";
import { readMailDetails } from "./read-mail-details.js";
import { countMail, type DueMail, type SendResult, sendMail } from "./send-mail.js";
import { createMailWriter } from "./write-mail.js";

/** Time that mails under way have when the server stops. */
const graceMs = 5_000;

/** Types of mails that go before all others, because nobody can switch them off: receipts. */
export const urgentTypes = noticeTypeNames.filter((type) => !isOptional(type));

/** Creates what makes one attempt at a due mail. */
export function createMailSender({ db, metrics, mailer, config }: Pick<Deps, "db" | "metrics" | "mailer" | "config">) {
  const brand = createBrand(config.platform);
  const write = createMailWriter(config.platform, {
    preferencesUrl: frontendLinks(config).preferences,
    readDetails: (mail) => readMailDetails({ db, config, brand }, mail),
  });
  async function readPreference(subscription: Subscription) {
    const isOn = (await readPreferences(db, subscription.userId))[subscription.type].mail;
    return { isOn, unsubscribeUrl: isOn ? await unsubscribeUrl(db, config.backendUrl, subscription) : null };
  }
  return async (mail: DueMail, signal: AbortSignal): Promise<SendResult> => {
    if (!mailer) return "skipped";
    const late = new AbortController();
    const cutOff = () => setTimeout(() => late.abort(), graceMs).unref();
    signal.addEventListener("abort", cutOff, { once: true });
    try {
      return await sendMail({ db, metrics, mailer, write, readPreference }, mail, late.signal);
    } finally {
      signal.removeEventListener("abort", cutOff);
    }
  };
}

/**
 * Ends mails that will never be sent: those whose attempt a crash has ended, and all waiting ones when the server sends no
 * mail. Only the holder of the job's lease calls it, before it sends any. @returns how many mails came to an end.
 */
export async function endUnsendableMails(deps: Pick<Deps, "db" | "metrics" | "mailer">): Promise<number> {
  return (await giveUpLost(deps)) + (deps.mailer ? 0 : await dropAll(deps));
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
