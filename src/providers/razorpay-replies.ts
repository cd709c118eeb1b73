import { z } from "zod";

/* What the payment provider's API answers, and how the server reads it. */

/** Amounts are in minor units of `currency` (ISO 4217). */
export interface ProviderOrder {
  readonly id: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly receipt: string;
}

export interface ProviderPayment {
  readonly id: string;
  readonly orderId: string | null;
  readonly amountMinor: number;
  readonly currency: string;
  /** True from the capture on, also when it was refunded later. */
  readonly captured: boolean;
  /** When it was made, to the second. */
  readonly paidAt: Date | undefined;
}

export interface ProviderRefund {
  readonly id: string;
  readonly amountMinor: number;
  readonly status: string;
  /** The receipt (or note) that it was asked for with; null for a refund that the server did not ask for. */
  readonly reference: string | null;
}

type Notes = Readonly<Record<string, unknown>>;

export interface ListedOrder {
  readonly id: string;
  readonly receipt: string | null;
  readonly paid: boolean;
  readonly notes: Notes;
}

export interface ListedPayment extends ProviderPayment {
  readonly notes: Notes;
}

export interface ListedRefund extends ProviderRefund {
  readonly paymentId: string;
}

const filled = z.string().min(1);
const minorUnits = z.int();
// The provider writes no notes as an empty list.
const NotesReply = z
  .record(z.string(), z.unknown())
  .or(z.array(z.unknown()).transform((): Notes => ({})))
  .nullish()
  .transform((notes): Notes => notes ?? {});
export const OrderReply = z.object({ id: filled, amount: minorUnits, currency: filled, receipt: z.string().nullish() });
export const ListedOrderReply = z.object({
  id: filled,
  receipt: z.string().nullish(),
  status: filled,
  notes: NotesReply,
});
export const PaymentReply = z.object({
  id: filled,
  order_id: z.string().nullish(),
  amount: minorUnits,
  currency: filled,
  status: filled,
  created_at: z.int().positive().nullish(),
});
export const ListedPaymentReply = PaymentReply.extend({ notes: NotesReply });
export const RefundReply = z.object({
  id: filled,
  amount: minorUnits,
  status: filled,
  receipt: z.string().nullish(),
  // The provider writes no notes as an empty list.
  notes: z.object({ reference: z.string().optional() }).or(z.array(z.unknown())).nullish(),
});
export const ListedRefundReply = RefundReply.extend({ payment_id: filled });
export const many = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) });

/** When a payment was made, from the provider's whole seconds: at the end of the second, which it was made in. */
export const timeOfPayment = (seconds: unknown): Date | undefined =>
  typeof seconds === "number" && Number.isSafeInteger(seconds) && seconds > 0 && seconds < 1e11
    ? new Date((seconds + 1) * 1_000)
    : undefined;

export const toPayment = ({
  id,
  order_id,
  amount,
  currency,
  status,
  created_at,
}: z.output<typeof PaymentReply>): ProviderPayment => ({
  id,
  orderId: order_id ?? null,
  amountMinor: amount,
  currency,
  captured: status === "captured" || status === "refunded",
  paidAt: timeOfPayment(created_at),
});

export const toRefund = ({ id, amount, status, receipt, notes }: z.output<typeof RefundReply>): ProviderRefund => ({
  id,
  amountMinor: amount,
  status,
  reference: receipt ?? (notes && "reference" in notes ? notes.reference : null) ?? null,
});

export const toOrder = ({ id, amount, currency }: z.output<typeof OrderReply>, receipt: string): ProviderOrder => ({
  id,
  amountMinor: amount,
  currency,
  receipt,
});
