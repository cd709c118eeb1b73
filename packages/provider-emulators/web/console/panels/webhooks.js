import { html } from "lit-html";
import { get, post } from "../api.js";
import { badge, button, card, facts, json, list, moment } from "../parts.js";

/** @type {Record<string, string>} */
const tones = { waiting: "warn", delivered: "good", exhausted: "bad" };
const senders = ["identity", "payments"];
const shown = 100;

/** @type {import("../main.js").Panel} */
export const webhooks = {
  id: "webhooks",
  title: "Webhooks",
  needs: senders,
  async load({ server }) {
    const present = senders.filter((sender) => server.panels.includes(sender));
    const all = await Promise.all(present.map(async (from) => ({ from, ...(await get(`/${from}/dev/deliveries`)) })));
    const deliveries = all.flatMap(({ from, deliveries }) =>
      deliveries.map((/** @type {any} */ delivery) => ({ ...delivery, from })),
    );
    deliveries.sort((left, right) => right.createdAt - left.createdAt);
    return { deliveries: deliveries.slice(0, shown), senders: all };
  },
  view({ deliveries, senders }, tools) {
    return html`<p class="soft">Messages of the identity and the payment provider to the application.</p>
      ${senders.map((/** @type {any} */ { from, tricks }) => card(`Next messages of ${from}`, delivery(from, tricks, tools)))}
      ${card(
        "Deliveries",
        list(
          deliveries,
          {
            key: ({ id }) => id,
            title: ({ type }) => type,
            marks: ({ state, attempts, createdAt }) =>
              html`<span class="soft">${attempts.length}×</span> ${badge(state, tones[state])} ${moment(createdAt)}`,
            body: (message) => details(message, tools),
          },
          "No message yet.",
        ),
      )}`;
  },
};

/**
 * Renders the delivery options of later messages.
 * @param {string} from
 * @param {any} tricks
 * @param {import("../main.js").Tools} tools
 */
function delivery(from, tricks, { act }) {
  const change = (/** @type {object} */ wanted) => act(() => post(`/${from}/dev/webhooks`, wanted), "Delivery changed");
  const box = (/** @type {string} */ name, /** @type {string} */ text) => html`<label class="check">
    <input type="checkbox" .checked=${tricks[name]}
      @change=${(/** @type {any} */ event) => change({ [name]: event.target.checked })}>${text}</label>`;
  const choice = (
    /** @type {string} */ name,
    /** @type {string} */ text,
    /** @type {Record<string, number>} */ values,
  ) =>
    html`<label>${text}<select @change=${(/** @type {any} */ event) => change({ [name]: Number(event.target.value) })}>
      ${Object.entries(values).map(
        ([label, value]) => html`<option value=${value} ?selected=${tricks[name] === value}>${label}</option>`,
      )}</select></label>`;
  return html`<div class="row">
    ${box("suppress", "Drop")} ${box("reorder", "Newest first")} ${box("tamper", "Tamper with the body")}
    ${choice("copies", "Copies", { "one, as usual": 1, two: 2, ten: 10 })}
    ${choice("delayMs", "Delay", { none: 0, "3 seconds": 3_000, "30 seconds": 30_000 })}
  </div>`;
}

/** @param {any} message @param {import("../main.js").Tools} tools */
function details({ id, from, attempts, body }, { act }) {
  const again = (/** @type {object} */ how, /** @type {string} */ done) =>
    act(() => post(`/${from}/dev/deliveries/${encodeURIComponent(id)}/duplicate`, how), done);
  const last = attempts.at(-1);
  return html`<div class="row">
      ${button("Send again", () => again({}, "Sent again"))}
      ${button("Send ten times at once", () => again({ copies: 10 }, "Sent ten times"))}
      ${button("Send tampered", () => again({ tamper: true }, "Sent with another body"))}
    </div>
    ${facts({ Id: html`<code>${id}</code>`, From: from })}
    ${
      attempts.length === 0
        ? html`<p class="soft">Not sent yet.</p>`
        : html`<table>
            <thead><tr><th scope="col">Attempt</th><th scope="col">Status</th><th scope="col">Answer</th></tr></thead>
            <tbody>${attempts.slice(-12).map(
              (/** @type {any} */ { at, status, answer, tampered }) => html`<tr>
                <td>${moment(at)} ${tampered ? badge("tampered", "bad") : ""}</td>
                <td>${badge(String(status ?? "none"), status >= 200 && status < 300 ? "good" : "bad")}</td>
                <td><code>${answer}</code></td></tr>`,
            )}</tbody></table>`
    }
    ${last?.headers ? html`<h3>Headers of the last attempt</h3>${json(last.headers)}` : ""}
    <h3>Body</h3>${json(body)}`;
}
