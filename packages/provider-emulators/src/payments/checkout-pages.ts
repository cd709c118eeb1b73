import { money } from "../../web/money.js";
import { escapeHtml } from "../html.js";
import { type Order, paymentFailure } from "./entities.js";
import type { CheckoutResult } from "./razorpay-emulator.js";

/** Options from the page around the frame, with that page's origin. */
export interface CheckoutView {
  embedder?: string;
  name?: string | undefined;
  description?: string | undefined;
  payer?: string | undefined;
  email?: string | undefined;
  contact?: string | undefined;
  /** `off` forbids another attempt after a failed payment. */
  retry?: string | undefined;
}

/** Renders the page where a user pays, fails or leaves. */
export function choicePage(order: Order, view: CheckoutView): string {
  const cancel = view.embedder ? '<button type="button" data-dismiss>Cancel</button>' : "";
  const choice =
    order.status === "paid"
      ? `<p class="note good">This order has been paid.</p><p class="row">${cancel}</p>`
      : `<form method="post" action="${address(order, view)}" class="row">
<button class="primary" name="outcome" value="captured" data-first>Pay ${amount(order)}</button>
<button name="outcome" value="failed">Fail</button>
${cancel}</form>`;
  // The page around the frame compares its options with the order.
  return page(`${summary(order, view)}${choice}`, view, {
    kind: "order",
    order: { amount: order.amount, currency: order.currency },
  });
}

/** Renders the result of an attempt and the message for the page around the frame. */
export function resultPage(order: Order, outcome: string, result: CheckoutResult, view: CheckoutView): string {
  const ids = details({ Payment: result.razorpay_payment_id, Order: order.id, Signature: result.razorpay_signature });
  if (outcome === "captured") {
    const paid = `<p class="note good" role="status">Paid. The payment is booked and its webhooks are being sent.</p>`;
    return page(`${summary(order, view)}${paid}${ids}`, view, { kind: "paid", response: result });
  }
  const metadata = { order_id: result.razorpay_order_id, payment_id: result.razorpay_payment_id };
  const failed = `<p class="note bad" role="alert"><strong>The payment failed.</strong>
${escapeHtml(paymentFailure.description)}, as you asked. No money was taken and the order can still be paid.</p>`;
  const again =
    view.retry === "off" ? "" : `<a class="button primary" href="${address(order, view)}" data-first>Try again</a>`;
  const leave = view.embedder ? '<button type="button" data-dismiss>Leave</button>' : "";
  return page(`${summary(order, view)}${failed}<p class="row">${again}${leave}</p>${ids}`, view, {
    kind: "failed",
    response: { error: { ...paymentFailure, metadata } },
  });
}

export function refusalPage(reason: string): string {
  return page(`<p class="note bad" role="alert"><strong>Refused.</strong> ${escapeHtml(reason)}</p>`, {});
}

function summary(order: Order, view: CheckoutView): string {
  const payer = [view.payer, view.email, view.contact].filter((part) => part !== undefined).join(", ");
  const rows: Record<string, string> = {
    Order: order.id,
    Receipt: order.receipt ?? "none",
    ...(view.description ? { For: view.description } : {}),
    ...(payer === "" ? {} : { Payer: payer }),
  };
  const title = [view.name, order.notes.courseTitle ?? "Order"].filter(Boolean).join(" · ");
  return `<p class="soft">${escapeHtml(title)}</p><div class="amount">${amount(order)}</div>${list(rows)}`;
}

const amount = (order: Order): string => escapeHtml(money(order.amount, order.currency));

function details(rows: Record<string, string>): string {
  const present = Object.fromEntries(Object.entries(rows).filter(([, value]) => value !== ""));
  return `<details><summary>What the browser application receives</summary>${list(present)}</details>`;
}

function list(rows: Record<string, string>): string {
  const items = Object.entries(rows).map(([term, value]) => `<dt>${term}</dt><dd>${escapeHtml(value)}</dd>`);
  return `<dl>${items.join("")}</dl>`;
}

/** Builds the address of the order's checkout with the same options. */
function address(order: Order, view: CheckoutView): string {
  const query = new URLSearchParams(Object.entries(view).filter((entry): entry is [string, string] => !!entry[1]));
  return escapeHtml(`/checkout/${encodeURIComponent(order.id)}?${query}`);
}

/** Renders a page. @param message is sent to the page around the frame at once. */
function page(body: string, { embedder = "" }: CheckoutView, message?: object): string {
  const told = message ? ` data-message="${escapeHtml(JSON.stringify(message))}"` : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Checkout</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/checkout/files/base.css">
<link rel="stylesheet" href="/checkout/files/checkout.css">
</head>
<body data-embedder="${escapeHtml(embedder)}"${told}>
<main>
<h1>Checkout</h1>
<p class="soft">Emulated: no money moves.</p>
<section class="card">${body}</section>
</main>
<script src="/checkout/files/frame.js" type="module"></script>
</body>
</html>
`;
}
