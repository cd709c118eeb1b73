import { createBrand } from "@lyceum/certificate-pdf/brand";
import type { Deps } from "../deps.js";
import { unfinishedMails } from "../models/notices/mail.js";
import { deliverMails } from "../services/mail/deliver-mails.js";
import { readMailDetails } from "../services/mail/read-mail-details.js";
import { createMailWriter } from "../services/mail/write-mail.js";
import { frontendLinks } from "../services/notices/frontend-links.js";
import { readPreferences } from "../services/notices/preferences.js";
import { type Subscription, unsubscribeUrl } from "../services/notices/unsubscribe.js";
import { createJob, dueRows } from "./create-job.js";

/** Sends the due mails. A mail that may have left is never sent again. */
export function deliverMailJob(deps: Deps) {
  const { db, config } = deps;
  const brand = createBrand(config.platform);
  const write = createMailWriter(config.platform, {
    preferencesUrl: frontendLinks(config).preferences,
    readDetails: (mail) => readMailDetails({ db, config, brand }, mail),
  });
  async function readPreference(subscription: Subscription) {
    const isOn = (await readPreferences(db, subscription.userId))[subscription.type].mail;
    return { isOn, unsubscribeUrl: isOn ? await unsubscribeUrl(db, config.backendUrl, subscription) : null };
  }
  return createJob({
    name: "deliver-mail",
    work: dueRows(db.Mail, "nextAttemptAt", { since: "createdAt", counted: unfinishedMails }),
    async run(signal) {
      const finished = await deliverMails(deps, { write, readPreference }, signal);
      return finished > 0 ? `${finished} mails sent or given up` : undefined;
    },
  });
}
