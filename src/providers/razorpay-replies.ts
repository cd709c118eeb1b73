import { z } from "zod";

/* Replies of the payment provider's API, and what the server reads of them. */

/** Amounts are in minor units of `currency` (ISO 4217). */
export interface ProviderOrder {
  readonly id: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly receipt: string | null;
}

type Notes = Readonly<Record<string, unknown>>;

export interface ProviderPayment {
  readonly id: string;
  readonly orderId: string | null;
  readonly amountMinor: number;
  readonly currency: string;
  /** True from the capture on, also when the payment was refunded later. */
  readonly captured: boolean;
  /** When it was made, to the second. */
  readonly paidAt: Date | undefined;
  readonly notes: Notes;
}

export interface ProviderRefund {
  readonly id: string;
  readonly amountMinor: number;
  readonly status: string;
  /** Our reference: the receipt or note of the request. Null for a refund that the server did not ask for. */
  readonly reference: string | null;
}

export interface ListedRefund extends ProviderRefund {
  readonly paymentId: string;
}

/** Returns when a payment was made, from the provider's whole seconds: the end of the second. */
export const timeOfPayment = (seconds: unknown): Date | undefined =>
  typeof seconds === "number" && Number.isSafeInteger(seconds) && seconds > 0 && seconds < 1e11
    ? new Date((seconds + 1) * 1_000)
    : undefined;

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
  .transform(
    ({ id, amount, currency, receipt = null }): ProviderOrder => ({ id, amountMinor: amount, currency, receipt }),
  );

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
  .transform(
    ({ id, order_id: orderId = null, amount, currency, status, created_at, notes }): ProviderPayment => ({
      id,
      orderId,
      amountMinor: amount,
      currency,
      captured: status === "captured" || status === "refunded",
      paidAt: timeOfPayment(created_at),
      notes,
    }),
  );

const refundFields = z.object({ id: filled, amount: minorUnits, status: filled, receipt: z.string().nullish(), notes });

const toRefund = ({ id, amount, status, receipt, notes }: z.output<typeof refundFields>): ProviderRefund => {
  const reference = receipt ?? notes.reference;
  return { id, amountMinor: amount, status, reference: typeof reference === "string" ? reference : null };
};

export const RefundReply = refundFields.transform(toRefund);
export const ListedRefundReply = refundFields
  .extend({ payment_id: filled })
  .transform((refund): ListedRefund => ({ ...toRefund(refund), paymentId: refund.payment_id }));

export const many = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) });
