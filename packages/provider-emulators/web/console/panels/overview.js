import { html } from "lit-html";
import { badge, button, card } from "../parts.js";
import { copyCurl, copyToken } from "../tokens.js";

/** @type {import("../main.js").Panel} */
export const overview = {
  id: "overview",
  title: "Overview",
  everyMs: 10_000,
  load: async ({ server }) => server,
  view({ providers, personas, application }, tools) {
    return html`<p class="soft">An emulated provider moves no money and sends nothing outside this machine.</p>
      ${personas.length > 0 ? card("Personas", personaCards(personas, application, tools)) : ""}
      ${card(
        "Providers",
        html`<table>
          <thead><tr><th scope="col">Provider</th><th scope="col">Kind</th><th scope="col">Address</th></tr></thead>
          <tbody>${providers.map(
            (/** @type {any} */ { provider, kind, address }) =>
              html`<tr><td>${provider}</td><td>${badge(kind, kind === "real" ? "warn" : "good")}</td><td><code>${address}</code></td></tr>`,
          )}</tbody>
        </table>`,
      )}
      ${card(
        "Time",
        html`<p class="soft">Time cannot be set: the server and the emulators use this machine's time. To see what time
        does, take an expired token (Users), delay webhooks (Webhooks) or let a payment be captured late (Payments).</p>`,
      )}`;
  },
};

/** @param {any[]} personas @param {any} application @param {import("../main.js").Tools} tools */
const personaCards = (personas, application, tools) => html`<div class="grid">
  ${personas.map(
    ({ id, name, state, about }) => html`<article class="card">
      <h3>${name} ${badge(state)}</h3>
      <p class="soft">${about}</p>
      <code>${id}</code>
      <div class="row">
        ${button("Copy token", () => tools.act(() => copyToken({ userId: id })))}
        ${button("Copy curl", () => tools.act(() => copyCurl(id, application?.url)))}
      </div>
    </article>`,
  )}
</div>`;
