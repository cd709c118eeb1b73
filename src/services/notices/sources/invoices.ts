import { distinct } from "../../../lib/distinct.js";
import type { Invoice } from "../../../models/payments/invoice.js";
import type { Purchase } from "../../../models/payments/purchase.js";
import { noticeTypes } from "../notice-types.js";
import type { NoticeSource, PlannedNotice } from "./source.js";

const typeOf = { invoice: "purchase_receipt", "credit-note": "purchase_refunded" } as const;

/** Numbered invoices and credit notes, which their buyers get by mail. */
export const invoices: NoticeSource<Pick<Invoice, "_id" | "kind" | "number" | "purchaseId" | "refundId" | "facts">> = {
  model: "Invoice",
  fields: { kind: 1, number: 1, purchaseId: 1, refundId: 1, facts: 1 },
  async plan({ db, session, links }, rows) {
    const ids = distinct(rows.map(({ purchaseId }) => purchaseId));
    const purchases = await db.Purchase.find({ _id: { $in: ids } }, { userId: 1, courseId: 1 })
      .session(session)
      .lean<Pick<Purchase, "_id" | "userId" | "courseId">[]>();
    const notices = rows.flatMap((invoice): PlannedNotice[] => {
      const purchase = purchases.find(({ _id }) => _id.equals(invoice.purchaseId));
      if (!purchase) return [];
      const { userId, courseId } = purchase;
      const type = typeOf[invoice.kind];
      const text = noticeTypes[type].compose({ ...invoice, courseId }, links);
      return [{ type, userId, cause: String(invoice._id), isNew: true, ...text }];
    });
    return { notices };
  },
};
