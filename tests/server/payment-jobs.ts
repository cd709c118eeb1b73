import { storePaymentEvent } from "../../src/services/payments/events/payment-events.js";
import { processPendingEvents, reconcilePurchases } from "../../src/services/payments/reconcile/reconcile-purchases.js";
import { reconcileSince } from "../../src/services/payments/reconcile/reconcile-since.js";
import type { TestServer } from "./test-server.js";

/* The background work on payments, run when a test asks for it: no request does any of it. */

type Instance = Pick<TestServer, "deps">;

/** One run of the reconciler. @returns how often each outcome came of it. */
export const reconcile = ({ deps }: Instance, options?: { readonly all?: boolean }) =>
  reconcilePurchases(deps, options);

/** Accounts for what the provider has created since a time. */
export const accountSince = ({ deps }: Instance, since: Date) => reconcileSince(deps, since, () => undefined);

/** One run of the job that applies stored payment events. @returns how many it applied. */
export const applyPendingEvents = ({ deps }: Instance, options?: { readonly asOf?: Date }) =>
  processPendingEvents(deps, options);

/** Stores a payment event and no more, as a process does that dies right after it. */
export const storeEvent = ({ deps }: Instance, body: string | Buffer) =>
  storePaymentEvent(deps, Buffer.from(body), null);
