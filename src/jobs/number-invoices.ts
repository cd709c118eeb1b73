import type { Deps } from "../deps.js";
import { giveNumbers, numberedAfterMs } from "../services/invoices/number-invoices.js";
import { createJob, dueRows } from "./create-job.js";

/** Gives invoices and credit notes their numbers, in the order of completion. */
export const numberInvoicesJob = ({ db, config }: Deps) =>
  createJob({
    name: "number-invoices",
    work: [
      dueRows(db.Purchase, "invoiceDueAt", { afterMs: numberedAfterMs }),
      dueRows(db.Purchase, "creditNoteDueAt", { afterMs: numberedAfterMs }),
    ],
    async run(signal) {
      let numbered = 0;
      let batch: number;
      do {
        batch = await giveNumbers({ db, settings: config.invoices }, new Date(Date.now() - numberedAfterMs));
        numbered += batch;
      } while (batch > 0 && !signal.aborted);
      return numbered > 0 ? `invoices of ${numbered} purchases numbered` : undefined;
    },
  });
