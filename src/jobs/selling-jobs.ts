import type { Types } from "mongoose";
import type { Deps } from "../deps.js";
import { endExpired, endWaitingGrants, maxEndedTogether, turnIntoGrants } from "../services/enrollments/end-expired.js";
import { endExpiredHolds } from "../services/enrollments/hold-path.js";
import { activateWaitingGrants } from "../services/grants/activate-grants.js";
import { importBatch, removeAbandonedImports } from "../services/grants/imports/run-imports.js";
import {
  maxInvoicesTogether,
  numberCreditNotes,
  numberedAfterMs,
  numberInvoices,
  withInvoiceNumber,
} from "../services/invoices/number-invoices.js";
import { processPendingEvents, reconcilePurchases } from "../services/payments/reconcile/reconcile-purchases.js";
import { createJob } from "./create-job.js";
import { dueBatch } from "./due-batch.js";
import { dueRows, ownLoop, usualPauses } from "./due-rows.js";
import type { Job } from "./job.js";

/** Jobs of purchases, invoices and access. */
export function sellingJobs(deps: Deps): Job[] {
  const { db } = deps;
  const numbers = { db, settings: deps.config.invoices };
  return [
    // Applies stored payment events whose effect a crash or an error has held up.
    createJob(deps, {
      name: "process-payment-events",
      work: ownLoop(
        db.PaymentEvent,
        "nextAttemptAt",
        { filter: { state: "pending" }, since: "createdAt", sinceOrder: "_id" },
        async ({ signal, count }) => count("payment events finished", await processPendingEvents(deps, { signal })),
      ),
    }),
    // Asks the payment provider about purchases whose next check is due.
    createJob(deps, {
      name: "reconcile-purchases",
      work: ownLoop(db.Purchase, "nextCheckAt", {}, async ({ signal, count }) => {
        const { unchanged: _unchanged, ...counts } = await reconcilePurchases(deps, { signal });
        for (const [what, by] of Object.entries(counts)) count(what, by);
      }),
    }),
    // Gives invoices and credit notes their numbers, in the order of completion.
    createJob(deps, {
      name: "number-invoices",
      work: [
        dueBatch(
          db.Purchase,
          "invoiceDueAt",
          {
            afterMs: numberedAfterMs,
            fields: { _id: 1 },
            size: maxInvoicesTogether,
            done: "purchases with new invoice numbers",
            writeOldest: async () => {
              const count = await numberInvoices(numbers, numberedUntil());
              return { count, isMore: count === maxInvoicesTogether };
            },
          },
          (rows) => numberInvoices(numbers, numberedUntil(), among(rows)),
        ),
        dueBatch(
          db.Purchase,
          "creditNoteDueAt",
          {
            filter: withInvoiceNumber,
            afterMs: numberedAfterMs,
            fields: { _id: 1 },
            size: maxInvoicesTogether,
            done: "purchases with new credit note numbers",
          },
          (rows) => numberCreditNotes(numbers, numberedUntil(), among(rows)),
        ),
      ],
    }),
    // Works through uploaded tables of grants. The run of the next import removes an upload that broke off.
    createJob(deps, {
      name: "import-enrollments",
      before: () => removeAbandonedImports(db),
      work: dueRows(
        db.EnrollmentImport,
        "startedAt",
        { filter: { state: "running" }, fields: { courseId: 1, requestedBy: 1 }, turnsBy: "requestedBy" },
        async (table, { count }) => {
          const rows = await importBatch(db, table);
          count("rows of enrollments imported", rows);
          return rows > 0 ? "more" : "moved";
        },
      ),
    }),
    // Activates the waiting grants of a verified address that one identity event did not activate.
    createJob(deps, {
      name: "activate-grants",
      work: dueRows(
        db.EmailLock,
        "nextActivationAt",
        {
          fields: { nextActivationAt: 1 },
          pauses: usualPauses,
          done: "transactions with waiting grants",
          // The id of the row is an e-mail address.
          failed: { about: () => ({ model: "EmailLock" }) },
        },
        async ({ _id }) => {
          await activateWaitingGrants(db, _id);
          return "done";
        },
      ),
    }),
    // Takes enrollments whose time is over out of the numbers of students, well within a minute.
    createJob(deps, {
      name: "end-expired-enrollments",
      before: () => endWaitingGrants(db),
      work: [
        dueBatch(
          db.Enrollment,
          "expiresAt",
          {
            filter: { active: true },
            fields: { userId: 1, courseId: 1 },
            size: maxEndedTogether,
            groupBy: "courseId",
            done: "enrollments ended",
          },
          (expired) => endExpired(db, expired),
        ),
        dueBatch(
          db.PathEnrollment,
          "expiresAt",
          {
            filter: { active: true },
            fields: { pathId: 1 },
            size: maxEndedTogether,
            groupBy: "pathId",
            done: "holds on paths ended",
          },
          (expired) => endExpiredHolds(db, expired),
        ),
        dueBatch(
          db.Enrollment,
          "boughtUntil",
          {
            filter: { active: true, kind: { $in: ["purchase", "free"] } },
            fields: { _id: 1 },
            size: maxEndedTogether,
            done: "purchases turned into grants",
          },
          (outlived) => turnIntoGrants(db, outlived),
        ),
      ],
    }),
  ];
}

const among = (rows: readonly { readonly _id: Types.ObjectId }[]) => ({ _id: { $in: rows.map(({ _id }) => _id) } });

const numberedUntil = (): Date => new Date(Date.now() - numberedAfterMs);
