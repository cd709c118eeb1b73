import { failure } from "../../../lib/errors.js";
import type { PaymentEvent } from "../../../models/payments/payment-event.js";
import { recordAudit } from "../../audit/record-audit.js";
import { bodyOf, type PaymentEventDeps, processPaymentEvent } from "./payment-events.js";

export const PaymentEventNotFound = failure("payment_event_not_found", 404, "Payment event not found");

/**
 * Applies a stored event once more, as a redelivery would: for an operator who has removed what kept it from working.
 * @returns the event as it stands now. @throws PaymentEventNotFound; an error when the effect did not finish.
 */
export async function replayPaymentEvent(
  events: PaymentEventDeps,
  eventId: string,
  by: { actorId: string; requestId?: string | undefined },
): Promise<PaymentEvent> {
  const { db } = events;
  const stored = await db.PaymentEvent.findById(eventId).lean<PaymentEvent>();
  if (!stored) throw PaymentEventNotFound();
  const { state, reviewReason } = stored;
  const effect = await processPaymentEvent(events, { ...stored, body: bodyOf(stored.body) }, (session, after) =>
    recordAudit(db, session, {
      actorId: by.actorId,
      action: "payment-event.replay",
      targetKind: "payment-event",
      targetId: eventId,
      before: { state, reviewReason },
      after,
      requestId: by.requestId,
    }),
  );
  if (!effect) throw new Error("the event's effect did not finish");
  return { ...stored, ...effect };
}
