import { reconcileSince } from "../../ops/reconcile/reconcile-since.js";
import { storePaymentEvent } from "../../src/services/payments/events/store-payment-event.js";
import { processPendingEvents, reconcilePurchases } from "../../src/services/payments/reconcile/reconcile-purchases.js";
import type { TestServer } from "./test-server.js";

/** Tests run these jobs on demand, because no request runs them. */

type Instance = Pick<TestServer, "deps">;

/** Runs the reconciler once. @returns the number of each outcome. */
export const reconcile = ({ deps }: Instance, options?: { readonly all?: boolean }) =>
  reconcilePurchases(deps, options);

/** Applies all orders, payments and refunds that the provider has created since a time. */
export const accountSince = ({ deps }: Instance, since: Date) => reconcileSince(deps, since, () => undefined);

/** Runs the job that applies stored payment events. @returns the number of applied events. */
export const applyPendingEvents = ({ deps }: Instance, options?: { readonly asOf?: Date }) =>
  processPendingEvents(deps, options);

/** Stores a payment event only, as a process that dies right after it. */
export const storeEvent = ({ deps }: Instance, body: string | Buffer) =>
  storePaymentEvent(deps, Buffer.from(body), null);
