import { unpaidPurchase } from "../../factories/purchases.js";
import { identityOf, paymentsOf } from "../../server/emulators.js";
import type { Scene } from "./scene.js";

/** One message of each event, as the providers' emulators send them. */
export async function recordWebhooks({ server }: Scene): Promise<Record<string, unknown>> {
  const identity = identityOf(server.emulators);
  const payments = paymentsOf(server);
  const { id } = await identity.createUser({ firstName: "Tara", lastName: "Shah", email: "tara@example.com" });
  await identity.updateUser(id, { lastName: "Shah-Berg" });
  await identity.deleteUser(id);
  const { orderId } = await unpaidPurchase(server);
  await payments.pay(orderId, { outcome: "failed" });
  const { razorpay_payment_id: paid } = await payments.pay(orderId);
  const { id: refund } = await payments.refund(paid, { amount: 100 });
  await payments.failRefund(refund);
  for (const phase of ["created", "under_review", "won", "lost", "closed"] as const)
    await payments.dispute(paid, phase);
  await Promise.all([identity.settled(), payments.settled()]);
  const sent = [...identity.deliveries(), ...payments.deliveries()];
  return Object.fromEntries(
    sent
      .toSorted((a, b) => (a.type < b.type ? -1 : 1))
      .filter(({ type }) => !type.startsWith("session."))
      .map(({ type, body }) => [type, JSON.parse(body)]),
  );
}
