import { type NextFunction, type Request, type Response, Router } from "express";
import { z } from "zod";
import { escapeHtml, money, page } from "../page.js";
import { type Bookkeeper, PaymentRefusal } from "./bookkeeper.js";
import { checkoutScript } from "./checkout-script.js";
import type { Order } from "./entities.js";
import type { CheckoutResult, PaymentsEmulator } from "./payments-emulator.js";

const Choice = z.object({ outcome: z.enum(["captured", "failed"]), embedded: z.literal("1").optional() });

/**
 * The checkout. `GET /checkout/:orderId` is a page where a user pays or fails; with `?embedded=1` it is the inside of
 * the overlay that `GET /v1/checkout.js` opens, and reports to the page around it.
 */
export function checkoutRoutes(books: Bookkeeper, payments: PaymentsEmulator): Router {
  const router = Router();
  router.get("/v1/checkout.js", (_req, res) => {
    res.type("text/javascript").set("Cross-Origin-Resource-Policy", "cross-origin").send(checkoutScript(payments.url));
  });
  router.get("/checkout/:orderId", (req, res) => {
    res.send(choicePage(books.order(req.params.orderId), req.query.embedded === "1"));
  });
  router.post("/checkout/:orderId", async (req, res) => {
    const { outcome, embedded } = Choice.parse(req.body);
    const order = books.order(req.params.orderId);
    const result = await payments.pay(order.id, { outcome });
    res.send(resultPage(order, outcome, result, embedded === "1"));
  });
  router.use("/checkout", (error: unknown, _req: Request, res: Response, next: NextFunction) => {
    if (error instanceof z.ZodError) res.status(400).send(refusalPage("Choose to pay or to fail."));
    else if (error instanceof PaymentRefusal) res.status(400).send(refusalPage(error.description));
    else next(error);
  });
  return router;
}

function choicePage(order: Order, embedded: boolean): string {
  const paid = order.status === "paid";
  const hidden = embedded ? '<input type="hidden" name="embedded" value="1">' : "";
  return checkoutPage(`
${summary(order)}
${
  paid
    ? '<p><span class="badge good">paid</span> This order has been paid.</p>'
    : `<form method="post" action="/checkout/${escapeHtml(order.id)}" class="row">${hidden}
<button class="primary" name="outcome" value="captured">Pay ${escapeHtml(money(order.amount, order.currency))}</button>
<button name="outcome" value="failed">Let it fail</button>
${embedded ? '<button type="button" id="dismiss">Cancel</button>' : ""}</form>`
}
${embedded ? tell({ kind: "dismiss" }, "dismiss") : ""}`);
}

function resultPage(order: Order, outcome: string, result: CheckoutResult, embedded: boolean): string {
  const paid = outcome === "captured";
  const failure = {
    code: "BAD_REQUEST_ERROR",
    description: "Payment was declined by the emulator",
    reason: "payment_failed",
  };
  const metadata = { order_id: result.razorpay_order_id, payment_id: result.razorpay_payment_id };
  const message = paid ? { kind: "paid", result } : { kind: "failed", error: { ...failure, metadata } };
  return checkoutPage(`
${summary(order)}
<p><span class="badge ${paid ? "good" : "bad"}">${paid ? "paid" : "failed"}</span></p>
<dl>${Object.entries(result)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `<dt class="code">${name}</dt><dd class="code">${escapeHtml(value)}</dd>`)
    .join("")}</dl>
${paid ? "" : `<p><a href="/checkout/${escapeHtml(order.id)}${embedded ? "?embedded=1" : ""}">Try again</a></p>`}
${embedded ? tell(message) : ""}`);
}

function refusalPage(reason: string): string {
  return checkoutPage(`<p><span class="badge bad">refused</span> ${escapeHtml(reason)}</p>`);
}

function summary(order: Order): string {
  return `<p class="soft">${escapeHtml(order.notes.courseTitle ?? "Order")}</p>
<div class="amount">${escapeHtml(money(order.amount, order.currency))}</div>
<dl><dt>Order</dt><dd class="code">${escapeHtml(order.id)}</dd>
<dt>Receipt</dt><dd class="code">${escapeHtml(order.receipt ?? "none")}</dd></dl><br>`;
}

function checkoutPage(body: string): string {
  const note = '<p class="soft">Emulated checkout: no money moves.</p>';
  return page(
    "Checkout",
    `<main class="narrow"><h1>Checkout</h1>${note}<section class="card">${body}</section></main>`,
  );
}

/** A script that tells the page around the overlay, at once or when a button is pressed. */
function tell(message: object, buttonId?: string): string {
  const json = JSON.stringify({ from: "lyceum-checkout", ...message }).replaceAll("<", "\\u003c");
  const send = `parent.postMessage(${json},"*")`;
  return buttonId
    ? `<script>document.getElementById("${buttonId}")?.addEventListener("click",()=>${send})</script>`
    : `<script>${send}</script>`;
}
