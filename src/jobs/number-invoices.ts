import type { Deps } from "../deps.js";
import { giveNumbers, numberedAfterMs } from "../services/invoices/number-invoices.js";
import { allWork, dueRows } from "./due-work.js";
import type { Job } from "./scheduler.js";

/** Gives invoices and credit notes their numbers, in the order of completion. */
export function numberInvoices({ db, config }: Pick<Deps, "db" | "config">): Job {
  return {
    name: "number-invoices",
    everyMs: 5_000,
    restMs: 29_000,
    ...allWork(
      dueRows(db.Purchase, "invoiceDueAt", {}, { afterMs: numberedAfterMs }),
      dueRows(db.Purchase, "creditNoteDueAt", {}, { afterMs: numberedAfterMs }),
    ),
    async run(signal) {
      let numbered = 0;
      let batch: number;
      do {
        batch = await giveNumbers({ db, settings: config.invoices }, new Date(Date.now() - numberedAfterMs));
        numbered += batch;
      } while (batch > 0 && !signal.aborted);
      return numbered > 0 ? `invoices of ${numbered} purchases numbered` : undefined;
    },
  };
}
