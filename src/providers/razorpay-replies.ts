import { z } from "zod";

/* Replies of the payment provider's API, and the fields that the server reads. Amounts are in minor units of `currency`. */

/** Converts the provider's whole seconds to the end of that second. @returns undefined for anything but a time. */
export const timeOfPayment = (seconds: unknown): Date | undefined =>
  typeof seconds === "number" && Number.isSafeInteger(seconds) && seconds > 0 && seconds < 1e11
    ? new Date((seconds + 1) * 1_000)
    : undefined;

type Notes = Readonly<Record<string, unknown>>;

const filled = z.string().min(1);
const minorUnits = z.int();
// The provider writes an empty list when there are no notes.
const notes = z
  .record(z.string(), z.unknown())
  .or(z.array(z.unknown()).transform((): Notes => ({})))
  .nullish()
  .transform((found): Notes => found ?? {});

export const OrderReply = z
  .object({ id: filled, amount: minorUnits, currency: filled, receipt: z.string().nullish() })
  .transform(({ id, amount, currency, receipt = null }) => ({ id, amountMinor: amount, currency, receipt }));
export type ProviderOrder = z.output<typeof OrderReply>;

export const ListedOrderReply = z
  .object({ id: filled, receipt: z.string().nullish(), status: filled, notes })
  .transform(({ id, receipt = null, status, notes }) => ({ id, receipt, paid: status === "paid", notes }));
export type ListedOrder = z.output<typeof ListedOrderReply>;

export const PaymentReply = z
  .object({
    id: filled,
    order_id: z.string().nullish(),
    amount: minorUnits,
    currency: filled,
    status: filled,
    created_at: z.int().positive().nullish(),
    notes,
  })
  .transform(({ id, order_id: orderId = null, amount, currency, status, created_at, notes }) => ({
    id,
    orderId,
    amountMinor: amount,
    currency,
    /** True from the capture on, also after a refund. */
    captured: status === "captured" || status === "refunded",
    paidAt: timeOfPayment(created_at),
    notes,
  }));
export type ProviderPayment = z.output<typeof PaymentReply>;

const refundFields = z.object({ id: filled, amount: minorUnits, status: filled, receipt: z.string().nullish(), notes });

const toRefund = ({ id, amount, status, receipt, notes }: z.output<typeof refundFields>) => {
  /** Our receipt or note of the request. Null for a refund that the server did not request. */
  const reference = receipt ?? notes.reference;
  return { id, amountMinor: amount, status, reference: typeof reference === "string" ? reference : null };
};

export const SingleRefundReply = refundFields.transform(toRefund);
export type ProviderRefund = z.output<typeof SingleRefundReply>;
export const ListedRefundReply = refundFields
  .extend({ payment_id: filled })
  .transform((refund) => ({ ...toRefund(refund), paymentId: refund.payment_id }));
export type ListedRefund = z.output<typeof ListedRefundReply>;

export const many = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) });
