import { type NextFunction, type Request, type Response, Router } from "express";
import { z } from "zod";
import { PaymentRefusal } from "./bookkeeper.js";
import { Books } from "./entities.js";
import { disputePhases } from "./events.js";
import type { RazorpayEmulator } from "./razorpay-emulator.js";

const Pay = z.object({
  outcome: z.enum(["captured", "failed"]).default("captured"),
  webhook: z.boolean().default(true),
  amount: z.int().positive().optional(),
  currency: z.string().optional(),
  again: z.boolean().optional(),
});
const Refund = z.object({ amount: z.int().positive().optional(), webhook: z.boolean().default(true) });
const Dispute = z.object({ phase: z.enum(disputePhases).default("created") });
const Account = z.object({ capture: z.enum(["automatic", "manual"]) });
const Capture = z.object({ webhook: z.boolean().default(true) });

/**
 * Serves developers and scripts without credentials. `POST /dev/orders/:id/pay {outcome?, webhook?, amount?, currency?,
 * again?}` and `POST /dev/payments/:id/capture {webhook?}` (authorized or failed payments) answer the checkout result.
 * The others are `POST /dev/payments/:id/refund {amount?, webhook?}`, `POST /dev/refunds/:id/fail`, `POST
 * /dev/payments/:id/dispute {phase?}`, `GET /dev/records`, `POST /dev/records {orders, payments, refunds}`, which adds
 * records of an earlier time, and `POST /dev/account {capture: automatic|manual}`. Amounts are in minor units.
 */
export function paymentsDeveloperRoutes(payments: RazorpayEmulator): Router {
  const router = Router();
  router.post("/dev/orders/:id/pay", async (req, res) => {
    res.json(await payments.pay(req.params.id, Pay.parse(req.body ?? {})));
  });
  router.post("/dev/payments/:id/refund", async (req, res) => {
    const { amount, webhook } = Refund.parse(req.body ?? {});
    const refund = await payments.refund(req.params.id, { webhook, ...(amount === undefined ? {} : { amount }) });
    res.json({ refund });
  });
  router.post("/dev/payments/:id/capture", async (req, res) => {
    res.json(await payments.captureLate(req.params.id, Capture.parse(req.body ?? {})));
  });
  router.post("/dev/refunds/:id/fail", async (req, res) => {
    await payments.failRefund(req.params.id);
    res.json({ failed: req.params.id });
  });
  router.post("/dev/payments/:id/dispute", async (req, res) => {
    const { phase } = Dispute.parse(req.body ?? {});
    await payments.dispute(req.params.id, phase);
    res.json({ disputed: req.params.id, phase });
  });
  router.post("/dev/account", (req, res) => {
    res.json(Object.assign(payments.account, Account.parse(req.body)));
  });
  router.get("/dev/records", (_req, res) => {
    res.json(payments.records());
  });
  router.post("/dev/records", async (req, res) => {
    await payments.addRecords(Books.parse(req.body));
    res.json({ added: true });
  });
  router.use("/dev", (error: unknown, _req: Request, res: Response, next: NextFunction) => {
    if (error instanceof z.ZodError) res.status(400).json({ error: z.prettifyError(error) });
    else if (error instanceof PaymentRefusal) res.status(400).json({ error: error.description });
    else next(error);
  });
  return router;
}
