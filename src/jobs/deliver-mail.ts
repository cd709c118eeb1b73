import type { Deps } from "../deps.js";
import { unfinishedMails } from "../models/notices/mail.js";
import { deliverMails } from "../services/mail/deliver-mails.js";
import { createMailWriter } from "../services/mail/write-mail.js";
import { createJob, dueRows } from "./create-job.js";

/** Sends the due mails. A mail that may have left is never sent again. */
export function deliverMailJob(deps: Deps) {
  const write = createMailWriter(deps.config.platform);
  const readPreference = async () => ({ isOn: true, unsubscribeUrl: null });
  return createJob({
    name: "deliver-mail",
    work: dueRows(deps.db.Mail, "nextAttemptAt", { since: "createdAt", counted: unfinishedMails }),
    async run(signal) {
      const finished = await deliverMails(deps, { write, readPreference }, signal);
      return finished > 0 ? `${finished} mails sent or given up` : undefined;
    },
  });
}
