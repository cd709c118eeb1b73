import type { Deps } from "../deps.js";
import { giveNumbers, settledAfterMs } from "../services/invoices/number-invoices.js";
import { earliestDue } from "./earliest-due.js";
import type { Job } from "./scheduler.js";

/** Gives invoices and credit notes their numbers, in the order of completion. */
export function numberInvoices({ db, config }: Pick<Deps, "db" | "config">): Job {
  return {
    name: "number-invoices",
    everyMs: 5_000,
    restMs: 300_000,
    async nextDue() {
      const [invoice, note] = [
        await earliestDue(db.Purchase, "invoiceDueAt"),
        await earliestDue(db.Purchase, "creditNoteDueAt"),
      ];
      const due = Math.min(invoice?.getTime() ?? Number.NaN, note?.getTime() ?? Number.NaN);
      const earliest = Number.isNaN(due) ? (invoice ?? note)?.getTime() : due;
      return earliest === undefined ? undefined : new Date(earliest + settledAfterMs);
    },
    async run(signal) {
      let numbered = 0;
      let batch: number;
      do {
        batch = await giveNumbers({ db, settings: config.invoices }, new Date(Date.now() - settledAfterMs));
        numbered += batch;
      } while (batch > 0 && !signal.aborted);
      return numbered > 0 ? `invoices of ${numbered} purchases numbered` : undefined;
    },
  };
}
