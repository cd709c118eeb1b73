import { LRUCache } from "lru-cache";
import PQueue from "p-queue";
import type { Invoice } from "../../models/payments/invoice.js";

const limits = {
  /** Bytes of the documents that are kept: some hundreds of them. */
  maxKeptBytes: 16 * 1_048_576,
  /** Documents that may wait to be drawn. Drawing takes about 20 ms, so the last one waits less than a second. */
  maxWaiting: 32,
};

export interface InvoiceDocuments {
  /** The PDF of an invoice or credit note. @returns undefined when too many wait to be drawn. */
  pdfOf(invoice: Invoice): Promise<Buffer | undefined>;
}

/**
 * Draws invoices one at a time and caches them by number, because drawing blocks the process and what a numbered invoice
 * says never changes.
 */
export function createInvoiceDocuments(draw: (invoice: Invoice) => Promise<Buffer>): InvoiceDocuments {
  const kept = new LRUCache<string, Buffer>({ maxSize: limits.maxKeptBytes, sizeCalculation: ({ length }) => length });
  const queue = new PQueue({ concurrency: 1 });

  return {
    async pdfOf(invoice) {
      const { number } = invoice;
      const drawn = kept.get(number);
      if (drawn) return drawn;
      if (queue.size >= limits.maxWaiting) return undefined;
      return queue.add(async () => {
        // An earlier request in the queue may have been for the same document.
        const pdf = kept.get(number) ?? (await draw(invoice));
        kept.set(number, pdf);
        return pdf;
      });
    },
  };
}
