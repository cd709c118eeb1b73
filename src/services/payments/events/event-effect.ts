import type { PaymentEvent } from "../../../models/payments/payment-event.js";

/** The result of an event. */
export type EventEffect = Pick<PaymentEvent, "state" | "outcome" | "reviewReason">;

export const processed = (outcome: string): EventEffect => ({ state: "processed", outcome, reviewReason: null });

export const needsReview = (reviewReason: NonNullable<PaymentEvent["reviewReason"]>): EventEffect => ({
  state: "review",
  outcome: "needs review",
  reviewReason,
});
