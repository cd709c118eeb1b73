import type { ClientSession } from "mongoose";
import type { Sold } from "../../../models/payments/purchase.js";
import type { ProviderRefund } from "../../../providers/razorpay-replies.js";
import { askedNow, everyState, withAttempt, withFailedRefund, withRefund } from "../facts.js";
import { saleTransaction } from "../sale-transaction.js";
import { type ProviderDeps, type SaleDeps, type SettledPayment, settlePayment } from "../settle-purchase.js";

/** A refund of which the provider says what became of it. */
export interface ReportedRefund {
  readonly refundId: string;
  /** Our reference of the attempt, when the report names it. */
  readonly reference: string | null | undefined;
  /** Minor units; 0 when the report leaves the amount out. */
  readonly amountMinor: number;
  /** False when the provider could not pay it. */
  readonly hasSucceeded: boolean;
  /** Key of the payment event that reported it; null for an answer of the provider. */
  readonly eventKey: string | null;
}

/** Records that a refund was paid, or could not be paid, for the webhook, the refund route and the reconciler. */
export function recordRefund(
  deps: SaleDeps,
  session: ClientSession,
  paymentId: string,
  { refundId, reference, amountMinor, hasSucceeded, eventKey }: ReportedRefund,
): Promise<SettledPayment> {
  return settlePayment(deps, session, { paymentId, eventKey }, ({ payment: known, purchase }) => {
    const payment = hasSucceeded ? withRefund(known, { refundId, amountMinor }) : withFailedRefund(known, refundId);
    if (!purchase) return { payment, purchase };
    const isPaidAfterAll = !hasSucceeded && payment.refunds.some((refund) => refund.refundId === refundId);
    const attempt = { state: hasSucceeded ? "paid" : "failed", refundId } as const;
    const told = isPaidAfterAll
      ? purchase
      : withAttempt(purchase, { reference: reference ?? undefined, refundId }, attempt, everyState);
    // A refund without an amount counts as nothing, so the provider is asked.
    return { payment, purchase: hasSucceeded && amountMinor === 0 && payment !== known ? askedNow(told) : told };
  });
}

/** A refund as the provider answers; undefined while it is not decided. */
export function reported({ id, amountMinor, status, reference }: ProviderRefund): ReportedRefund | undefined {
  if (status !== "processed" && status !== "failed") return undefined;
  return { refundId: id, reference, amountMinor, hasSucceeded: status === "processed", eventKey: null };
}

/** Asks the provider for the refunds of a payment, and records them. */
export async function recordRefundsOf(deps: ProviderDeps, sold: Sold, paymentId: string): Promise<void> {
  const refunds = (await deps.payments.refundsOfPayment(paymentId)).flatMap((refund) => reported(refund) ?? []);
  if (refunds.length === 0) return;
  await saleTransaction(deps.db, sold, async (session) => {
    for (const refund of refunds) await recordRefund(deps, session, paymentId, refund);
  });
}
