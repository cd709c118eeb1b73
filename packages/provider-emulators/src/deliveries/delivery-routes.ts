import { Router } from "express";
import { z } from "zod";
import { read } from "../read-request.js";
import {
  type AttemptResult,
  type Delivery,
  type DeliveryTricks,
  type Duplicates,
  RedeliveryRefusal,
} from "./delivery.js";

const Tricks = z.object({
  suppress: z.boolean().optional(),
  copies: z.int().min(1).max(100).optional(),
  delayMs: z.int().min(0).optional(),
  reorder: z.boolean().optional(),
  tamper: z.boolean().optional(),
});
const Copies = z.object({ copies: z.int().min(1).max(100).optional(), tamper: z.boolean().optional() });

interface Deliveries {
  readonly tricks: DeliveryTricks;
  deliveries(): readonly Delivery[];
  redeliver(id: string): Promise<AttemptResult>;
  duplicate(id: string, options: Duplicates): Promise<AttemptResult>;
  retryNow(): Promise<void>;
}

/**
 * `GET /dev/deliveries` lists webhook messages with their results. `POST /dev/deliveries/:id/redeliver` sends a message
 * again as the provider does, or answers 409. `POST /dev/deliveries/:id/duplicate {copies?, tamper?}` sends any message
 * again. `POST /dev/deliveries/retry` sends waiting messages now. `POST /dev/webhooks {suppress?, copies?, delayMs?,
 * reorder?, tamper?}` changes the delivery of later messages. The routes expect parsed JSON.
 */
export function deliveryRoutes(sender: Deliveries): Router {
  const router = Router();
  router.get("/dev/deliveries", (_req, res) => {
    res.json({ deliveries: sender.deliveries(), tricks: sender.tricks });
  });
  router.post("/dev/deliveries/retry", async (_req, res) => {
    await sender.retryNow();
    res.json({ deliveries: sender.deliveries() });
  });
  router.use("/dev/deliveries/:id", (req, res, next) => {
    if (sender.deliveries().some(({ id }) => id === req.params.id)) next();
    else res.status(404).json({ error: `No delivery ${req.params.id}` });
  });
  router.post("/dev/deliveries/:id/redeliver", async (req, res) => {
    try {
      res.json(await sender.redeliver(req.params.id));
    } catch (error) {
      if (!(error instanceof RedeliveryRefusal)) throw error;
      res.status(409).json({ error: error.message });
    }
  });
  router.post("/dev/deliveries/:id/duplicate", async (req, res) => {
    const how = read(Copies, req.body, res);
    if (how) res.json(await sender.duplicate(req.params.id, how));
  });
  router.post("/dev/webhooks", (req, res) => {
    const wanted = read(Tricks, req.body, res);
    if (wanted) res.json(Object.assign(sender.tricks, wanted));
  });
  return router;
}
