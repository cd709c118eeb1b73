import { z } from "zod";
import { newestFirstPage, nextCursor } from "../../http/pages.js";
import { id, timestamp } from "../../lib/fields.js";
import { invoiceKinds } from "../../models/payments/invoice.js";
import { purchaseStates } from "../../models/payments/purchase.js";

export const OrdersQuery = z.object(newestFirstPage);

const OrderView = z
  .object({
    _id: id,
    courseId: id,
    courseTitle: z.string().meta({ description: "as it was when the purchase was opened" }),
    courseThumbnail: z.string(),
    amount: z.number().meta({ description: "major unit of `currency`" }),
    currency: z.string().meta({ description: "ISO 4217" }),
    status: z.enum(purchaseStates),
    couponCode: z.string().nullable(),
    refundedAmount: z.number().meta({ description: "major unit" }),
    createdAt: timestamp,
    completedAt: timestamp.nullable(),
    refundedAt: timestamp.nullable(),
    invoiceNumber: z.string().nullable().meta({ description: "null until it is assigned, soon after completion" }),
    creditNoteNumber: z.string().nullable().meta({ description: "of the newest refund" }),
  })
  .meta({ id: "Order" });

export const OrdersReply = z.object({ purchases: z.array(OrderView), nextCursor });

export const InvoiceQuery = z.object({
  document: z.enum(invoiceKinds).default("invoice"),
  number: z.string().max(64).optional().meta({ description: "number of an earlier credit note; absent: the newest" }),
});
