import { html } from "lit-html";
import { money, plainAmount, toMinor } from "../../money.js";
import { get, post } from "../api.js";
import { badge, button, card, facts, fieldsOf, list, moment } from "../parts.js";

/** @type {Record<string, string>} */
const orderTones = { attempted: "bad", paid: "good" };
/** @type {Record<string, string>} */
const paymentTones = { authorized: "warn", captured: "good", failed: "bad", refunded: "warn" };
const phases = ["created", "under_review", "won", "lost", "closed"];
const shown = 100;

/** @type {import("../main.js").Panel} */
export const payments = {
  id: "payments",
  title: "Payments",
  needs: ["payments"],
  load: () => get("/payments/dev/records"),
  view(records, tools) {
    const orders = records.orders.slice(-shown).reverse();
    const address = tools.server.providers.find((/** @type {any} */ { provider }) => provider === "payments")?.address;
    return html`<p class="soft">The payment provider's books. The application receives each change by webhook.</p>
      ${card(
        "Orders",
        list(
          orders,
          {
            key: ({ id }) => id,
            title: (order) => html`${order.notes.courseTitle ?? order.receipt ?? order.id}`,
            marks: (order) =>
              html`${money(order.amount, order.currency)} ${stateOf(order, records)} ${moment(order.createdAt * 1000)}`,
            body: (order) => details(order, records, address, tools),
          },
          "No order yet. Buy a course and it appears here.",
        ),
      )}`;
  },
};

/** Returns the state of an order with its refunds. @param {any} order @param {any} records */
function stateOf(order, records) {
  const refunded = records.payments.some(
    (/** @type {any} */ { orderId, amountRefunded }) => orderId === order.id && amountRefunded > 0,
  );
  return html`${badge(order.status, orderTones[order.status])} ${refunded ? badge("refunded", "warn") : ""}`;
}

/** @param {any} order @param {any} records @param {string} address @param {import("../main.js").Tools} tools */
function details(order, records, address, tools) {
  const { act } = tools;
  const pay = (/** @type {string} */ outcome, webhook = true) =>
    act(() => post(`/payments/dev/orders/${order.id}/pay`, { outcome, webhook }), `Payment ${outcome}`);
  const own = records.payments.filter((/** @type {any} */ { orderId }) => orderId === order.id);
  const open = html`<div class="row">
    <a class="button primary" href="${address}/checkout/${order.id}" target="_blank" rel="noreferrer">Open the checkout</a>
    ${button("Pay", () => pay("captured"))}
    ${button("Pay, webhooks lost", () => pay("captured", false))}
    ${button("Fail", () => pay("failed"))}
  </div>`;
  return html`${facts({
    Order: html`<code>${order.id}</code>`,
    Receipt: order.receipt ?? "none",
    Attempts: order.attempts,
    Notes: html`<code>${JSON.stringify(order.notes)}</code>`,
  })}
  ${order.status === "paid" ? "" : open}
  ${own.map((/** @type {any} */ payment) => paymentView(payment, records, tools))}`;
}

/** @param {any} payment @param {any} records @param {import("../main.js").Tools} tools */
function paymentView(payment, records, tools) {
  const refunds = records.refunds.filter((/** @type {any} */ { paymentId }) => paymentId === payment.id);
  return html`<section class="card">
    <h3>Payment ${badge(payment.status, paymentTones[payment.status])}</h3>
    ${facts({
      Id: html`<code>${payment.id}</code>`,
      Amount: money(payment.amount, payment.currency),
      Refunded: payment.amountRefunded > 0 ? money(payment.amountRefunded, payment.currency) : undefined,
    })}
    ${refunds.map((/** @type {any} */ refund) => refundView(refund, tools))}
    ${["authorized", "failed"].includes(payment.status) ? late(payment, tools) : disputeAndRefund(payment, tools)}
  </section>`;
}

/** @param {any} refund @param {import("../main.js").Tools} tools */
const refundView = (refund, { act }) => html`<p class="row">
  Refund <code>${refund.id}</code> ${money(refund.amount, refund.currency)}
  ${badge(refund.status, refund.status === "failed" ? "bad" : "good")}
  ${
    refund.status === "failed"
      ? ""
      : button("Fail at the bank", () => act(() => post(`/payments/dev/refunds/${refund.id}/fail`), "Refund failed"))
  }
</p>`;

/** @param {any} payment @param {import("../main.js").Tools} tools */
const late = (payment, { act }) => html`<p class="row">
  ${button("Capture late", () => act(() => post(`/payments/dev/payments/${payment.id}/capture`), "Captured late"))}
</p>`;

/** @param {any} payment @param {import("../main.js").Tools} tools */
function disputeAndRefund(payment, { act }) {
  const { currency } = payment;
  const left = payment.amount - payment.amountRefunded;
  const check = (/** @type {any} */ { target }) =>
    target.setCustomValidity(faultOfRefund(target.value, left, currency));
  const refund = (/** @type {SubmitEvent} */ event) => {
    const { amount = "" } = fieldsOf(event);
    const asked = amount.trim() === "" ? {} : { amount: toMinor(amount, currency) };
    const form = /** @type {HTMLFormElement} */ (event.target);
    return act(async () => {
      await post(`/payments/dev/payments/${payment.id}/refund`, asked);
      form.reset();
    }, "Refunded");
  };
  const dispute = (/** @type {SubmitEvent} */ event) => {
    const { phase = "" } = fieldsOf(event);
    return act(() => post(`/payments/dev/payments/${payment.id}/dispute`, { phase }), `Dispute: ${phase}`);
  };
  return html`${
    left > 0
      ? html`<form class="row" @submit=${refund}>
          <label>Amount in ${currency} (empty: all)
            <input name="amount" inputmode="decimal" autocomplete="off" placeholder=${plainAmount(left, currency)} @input=${check}></label>
          <button>Refund</button>
        </form>`
      : ""
  }
  <form class="row" @submit=${dispute}>
    <label>Dispute <select name="phase">${phases.map((phase) => html`<option>${phase}</option>`)}</select></label>
    <button>Send</button>
  </form>`;
}

/** Explains what is wrong with a typed amount. @param {string} text @param {number} left @param {string} currency */
function faultOfRefund(text, left, currency) {
  if (text.trim() === "") return "";
  const amount = toMinor(text, currency);
  if (!amount) return `Enter an amount in ${currency}, such as ${plainAmount(left, currency)}`;
  return amount > left ? `At most ${money(left, currency)} can be refunded` : "";
}
