import { Router } from "express";
import { z } from "zod";
import { read } from "../read-request.js";
import type { AttemptResult, Delivery, DeliveryTricks, Redelivery } from "./delivery.js";

const Tricks = z.object({
  suppress: z.boolean().optional(),
  copies: z.int().min(1).max(100).optional(),
  delayMs: z.int().min(0).optional(),
  reorder: z.boolean().optional(),
  tamper: z.boolean().optional(),
});
const Again = z.object({ copies: z.int().min(1).max(100).optional(), tamper: z.boolean().optional() });

interface Deliveries {
  readonly tricks: DeliveryTricks;
  deliveries(): readonly Delivery[];
  redeliver(id: string, options: Redelivery): Promise<AttemptResult>;
}

/**
 * `GET /dev/deliveries` lists webhook messages and their results; `POST /dev/deliveries/:id/redeliver {copies?,
 * tamper?}` sends one again; `POST /dev/webhooks {suppress?, copies?, delayMs?, reorder?, tamper?}` changes the delivery
 * of those to come. Expects parsed JSON.
 */
export function deliveryRoutes(sender: Deliveries): Router {
  const router = Router();
  router.get("/dev/deliveries", (_req, res) => {
    res.json({ deliveries: sender.deliveries(), tricks: sender.tricks });
  });
  router.post("/dev/deliveries/:id/redeliver", async (req, res) => {
    const how = read(Again, req.body, res);
    if (!how) return;
    if (sender.deliveries().some(({ id }) => id === req.params.id))
      res.json(await sender.redeliver(req.params.id, how));
    else res.status(404).json({ error: `No delivery ${req.params.id}` });
  });
  router.post("/dev/webhooks", (req, res) => {
    const wanted = read(Tricks, req.body, res);
    if (wanted) res.json(Object.assign(sender.tricks, wanted));
  });
  return router;
}
