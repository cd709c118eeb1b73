import { failure } from "../http/errors.js";
import type { PaymentEvent } from "../models/payment-event.js";
import { bodyOf, type Ledger, settlePaymentEvent } from "./payment-ledger.js";
import { recordAudit } from "./record-audit.js";

export const PaymentEventNotFound = failure(404, "Payment event not found");

/**
 * Runs a stored event's effect once more, as a redelivery would: for an operator who has mended what was in its way.
 * @returns the event as it stands now. @throws PaymentEventNotFound; an error when the effect did not finish.
 */
export async function replayPaymentEvent(
  ledger: Ledger,
  eventId: string,
  by: { actorId: string; requestId?: string | undefined },
): Promise<PaymentEvent> {
  const { db } = ledger;
  const stored = await db.PaymentEvent.findById(eventId).lean<PaymentEvent>();
  if (!stored) throw PaymentEventNotFound();
  const effect = await settlePaymentEvent(ledger, { ...stored, body: bodyOf(stored.body) });
  if (!effect) throw new Error("the event's effect did not finish");
  await recordAudit(db, {
    actorId: by.actorId,
    action: "payment-event.replay",
    targetKind: "payment-event",
    targetId: eventId,
    before: { state: stored.state, reviewReason: stored.reviewReason },
    after: effect,
    requestId: by.requestId,
  });
  return { ...stored, ...effect };
}
