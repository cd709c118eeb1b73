import { type NextFunction, type Request, type Response, Router } from "express";
import { z } from "zod";
import { isAllowedOrigin } from "../developer-access.js";
import { webFile } from "../web-files.js";
import { type Bookkeeper, PaymentRefusal } from "./bookkeeper.js";
import { type CheckoutView, choicePage, refusalPage, resultPage } from "./checkout-pages.js";
import type { RazorpayEmulator } from "./razorpay-emulator.js";

const text = z.string().max(300).optional();
/** Options from the page around the frame. */
const View = z.object({ name: text, description: text, payer: text, email: text, contact: text, retry: text });
const Choice = z.object({ outcome: z.enum(["captured", "failed"]) });

/**
 * Serves the checkout. `GET /checkout/:orderId` is a page where a user pays or fails. In the frame of `GET
 * /v1/checkout.js`, `?embedder=` names the origin around it. Only that origin receives the result.
 * @param frontend origin of the browser application.
 */
export function checkoutRoutes(books: Bookkeeper, payments: RazorpayEmulator, frontend: string): Router {
  const router = Router();
  router.get("/v1/checkout.js", (_req, res) => {
    res.set("Cross-Origin-Resource-Policy", "cross-origin").sendFile(webFile("checkout/checkout.js"));
  });
  router.get("/checkout/files/:file", (req, res, next) => {
    const file = { "base.css": "base.css", "checkout.css": "checkout/checkout.css", "frame.js": "checkout/frame.js" };
    const path = Object.entries(file).find(([name]) => name === req.params.file)?.[1];
    if (path) res.sendFile(webFile(path));
    else next();
  });
  router.use("/checkout", (_req, res, next) => {
    res.set({
      "Content-Security-Policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'",
      // Without a referrer a browser also hides the origin of its forms.
      "Referrer-Policy": "same-origin",
    });
    next();
  });
  const viewOf = (req: Request): CheckoutView => {
    const { embedder } = req.query;
    if (embedder === undefined) return View.parse(req.query);
    if (typeof embedder !== "string" || !isAllowedOrigin(embedder, frontend)) {
      throw new PaymentRefusal(`The checkout may not be embedded by ${String(embedder)}`);
    }
    return { ...View.parse(req.query), embedder };
  };
  router.get("/checkout/:orderId", (req, res) => {
    res.send(choicePage(books.order(req.params.orderId), viewOf(req)));
  });
  router.post("/checkout/:orderId", async (req, res) => {
    const view = viewOf(req);
    const { outcome } = Choice.parse(req.body);
    const order = books.order(req.params.orderId);
    const result = await payments.pay(order.id, { outcome });
    res.send(resultPage(order, outcome, result, view));
  });
  router.use("/checkout", (error: unknown, _req: Request, res: Response, next: NextFunction) => {
    if (error instanceof z.ZodError) res.status(400).send(refusalPage("Choose to pay or to fail."));
    else if (error instanceof PaymentRefusal) res.status(400).send(refusalPage(error.description));
    else next(error);
  });
  return router;
}
