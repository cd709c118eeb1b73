import { Router } from "express";
import { z } from "zod";
import type { Delivery, DeliveryTricks } from "./webhook-sender.js";

const Tricks = z.object({
  suppress: z.boolean().optional(),
  copies: z.int().min(1).max(100).optional(),
  delayMs: z.int().min(0).optional(),
});

interface Deliveries {
  readonly tricks: DeliveryTricks;
  deliveries(): readonly Delivery[];
  redeliver(id: string): Promise<{ status: number | null; answer: string }>;
}

/**
 * `GET /dev/deliveries` lists webhook messages and what became of them; `POST /dev/deliveries/:id/redeliver` sends one
 * again; `POST /dev/webhooks {suppress?, copies?, delayMs?}` bends the delivery of those to come. Expects parsed JSON.
 */
export function deliveryRoutes(sender: Deliveries): Router {
  const router = Router();
  router.get("/dev/deliveries", (_req, res) => {
    res.json({ deliveries: sender.deliveries() });
  });
  router.post("/dev/deliveries/:id/redeliver", async (req, res) => {
    if (sender.deliveries().some(({ id }) => id === req.params.id)) res.json(await sender.redeliver(req.params.id));
    else res.status(404).json({ error: `No delivery ${req.params.id}` });
  });
  router.post("/dev/webhooks", (req, res) => {
    const wanted = Tricks.safeParse(req.body ?? {});
    if (!wanted.success) {
      res.status(400).json({ error: z.prettifyError(wanted.error) });
      return;
    }
    const { suppress, copies, delayMs } = wanted.data;
    const { tricks } = sender;
    tricks.suppress = suppress ?? tricks.suppress;
    tricks.copies = copies ?? tricks.copies;
    tricks.delayMs = delayMs ?? tricks.delayMs;
    res.json(tricks);
  });
  return router;
}
