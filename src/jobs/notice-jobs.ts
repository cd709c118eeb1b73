import type { Deps } from "../deps.js";
import { unfinishedMails } from "../models/notices/mail.js";
import { maxMailsAtOnce } from "../providers/mail.js";
import { maxEventsTogether, numberBatch } from "../services/events/number-events.js";
import { createMailSender, endUnsendableMails, urgentTypes } from "../services/mail/deliver-mails.js";
import type { DueMail } from "../services/mail/send-mail.js";
import { causesIn, makeNotices, otherSources } from "../services/notices/make-notices.js";
import { type MailTime, noticeTypes } from "../services/notices/notice-types.js";
import { maxNotices, type NoticeSource } from "../services/notices/sources/source.js";
import { events } from "../services/notices/sources/teaching.js";
import { deliverDue } from "../services/webhooks/deliver-due.js";
import { createJob } from "./create-job.js";
import { dueBatch } from "./due-batch.js";
import { dueRows, ownLoop, usualPauses } from "./due-rows.js";
import type { Job, Work } from "./job.js";
import { periodicWork } from "./periodic-work.js";

/** Jobs of events, and of what users and other systems are told about them. */
export function noticeJobs(deps: Deps): Job[] {
  const { db } = deps;
  const sendMail = createMailSender(deps);
  return [
    // Numbers committed events, so that they are listed and delivered, and makes their notices in the same run. It is woken
    // by the commits of its own process.
    createJob(deps, {
      name: "number-events",
      // Almost every write of a user wakes this job.
      doneLevel: "debug",
      work: [
        dueBatch(
          db.Event,
          "unnumberedSince",
          {
            fields: { _id: 1 },
            size: maxEventsTogether,
            isDueWhenStored: true,
            done: "events numbered",
            writeOldest: async () => {
              const { events: count, isMore } = await numberBatch(deps);
              return { count, isMore };
            },
          },
          async (rows) => (await numberBatch(deps, rows)).events,
        ),
        noticeWork(deps, events as NoticeSource, { isDueWhenStored: true }),
      ],
    }),
    // Makes the notices that rows of other collections cause.
    createJob(deps, {
      name: "make-notices",
      // Many writes of users wake this job.
      doneLevel: "debug",
      asksFirst: true,
      work: otherSources.map((source) => noticeWork(deps, source)),
    }),
    // Sends the due deliveries of webhooks. A run goes on while any endpoint has due deliveries.
    createJob(deps, {
      name: "deliver-webhooks",
      work: ownLoop(db.WebhookDelivery, "nextAttemptAt", {}, async ({ signal, count }) =>
        count("attempts at webhooks", await deliverDue(deps, signal)),
      ),
    }),
    // Sends the due mails. A mail that may have left is never sent again.
    createJob(deps, {
      name: "deliver-mail",
      before: async ({ count }) => count("given up", await endUnsendableMails(deps)),
      work: dueRows(
        db.Mail,
        "nextAttemptAt",
        {
          since: "createdAt",
          counted: unfinishedMails,
          turnsBy: "ownerId",
          perTurn: maxMailsAtOnce,
          first: { type: { $in: urgentTypes } },
          atOnce: maxMailsAtOnce,
        },
        async (mail, { signal, count }) => {
          const result = await sendMail(mail as DueMail, signal);
          if (result === "away") return "away";
          if (result === "skipped") return "left";
          if (result !== "postponed") count(result);
          return "moved";
        },
      ),
    }),
    // Stores the mails of the types of notices that come as a digest.
    createJob(deps, { name: "send-digests", work: digestWork(deps, noticeTypes) }),
  ];
}

/** The fields of a row's date. */
const dueFields = { noticeDueAt: 1 } as const;

/** Pause after a batch of notices, in which the server answers requests. */
const restMs = 75;

function noticeWork(deps: Deps, source: NoticeSource, due: Pick<Work, "isDueWhenStored"> = {}): Work {
  const { maxRows = maxNotices, turnsBy } = source;
  const rows = causesIn(deps.db, source);
  const options = { ...due, restMs, pauses: usualPauses, done: "notices made" };
  if (!turnsBy) {
    const writeOldest = async () => {
      const { notices: count, rows } = await makeNotices(deps, source, { limit: maxRows });
      return { count, isMore: rows === maxRows };
    };
    const batch = { ...options, fields: dueFields, size: maxRows, writeOldest };
    return dueBatch(rows, "noticeDueAt", batch, async (some) => (await makeNotices(deps, source, some)).notices);
  }
  const owner = turnsBy as "_id";
  return dueRows(
    rows,
    "noticeDueAt",
    { ...options, fields: { ...dueFields, [owner]: 1 }, turnsBy: owner },
    async (row, { count }) => {
      count(options.done, (await makeNotices(deps, source, [row])).notices);
      return "more";
    },
  );
}

/** One kind of work for each type that is mailed as a digest. */
export const digestWork = (deps: Deps, types: Readonly<Record<string, { readonly mail: MailTime }>>): Work[] =>
  Object.entries(types).flatMap(
    ([
      type,
      {
        mail: { digest },
      },
    ]) => {
      if (!digest) return [];
      const { every, at, write } = digest;
      // Version 1.0 had one digest, and stored its due date under the name of the job.
      const name = type === "new_student" ? "send-digests" : `send-digests:${type}`;
      const options = { name, every, ...(at && { at }), done: "digests stored" };
      return [periodicWork(deps.db, options, (period, { signal }) => write(deps, period, signal))];
    },
  );
