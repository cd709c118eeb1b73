import { get, patch, post, remove } from "@lyceum/provider-emulators/console/api.js";
import { badge, button, card, facts, json, list, moment } from "@lyceum/provider-emulators/console/parts.js";
import { html } from "lit-html";

const shown = 20;
/** Events that one request lists. */
const maxPage = 100;
const receiver = "/application/receiver";

/** @type {import("@lyceum/provider-emulators/console/main.js").Panel} */
const events = {
  id: "events",
  title: "Events",
  needs: ["identity"],
  // Every refresh counts against the rate limit of administrators.
  everyMs: 600_000,
  async load({ state }) {
    const { users } = await get("/identity/dev/users?query=admin&limit=50");
    state.admin ??= users.find((/** @type {any} */ { publicMetadata }) => publicMetadata.role === "admin")?.id;
    if (!state.admin) return {};
    const api = apiOf(state.admin);
    const [received, { webhooks }] = await Promise.all([get(receiver), get(`${api}/webhooks`), readEvents(api, state)]);
    const deliveries = await Promise.all(
      webhooks.map((/** @type {any} */ { _id }) => get(`${api}/webhooks/${_id}/deliveries?limit=${shown}`)),
    );
    const withDeliveries = webhooks.map((/** @type {any} */ webhook, /** @type {number} */ i) => ({
      ...webhook,
      deliveries: deliveries[i].deliveries,
    }));
    return { received, webhooks: withDeliveries };
  },
  view({ received, webhooks }, tools) {
    const { state, act } = tools;
    if (!state.admin) {
      return html`${card("No administrator", html`<p class="soft">Give an account the role admin under Users first.</p>`)}`;
    }
    return html`<p class="soft">Events of the application, and their deliveries to webhooks.</p>
      <div class="row">${button("Reload", () => act(() => undefined))}</div>
      ${card("Webhooks", webhooksView(webhooks, received, tools))}
      ${card("Receiver", receiverView(received, tools))}
      ${card("Events", eventsView(state.events))}`;
  },
};

export default events;

/** @param {string} userId */
const apiOf = (userId) => `/application/as/${encodeURIComponent(userId)}/api/admin`;

/** Reads the events behind the last cursor, and keeps the newest. @param {string} api @param {any} state */
async function readEvents(api, state) {
  let page;
  do {
    page = await get(`${api}/events?limit=${maxPage}${state.after ? `&after=${encodeURIComponent(state.after)}` : ""}`);
    state.after = page.nextCursor;
    state.events = [...page.events.reverse(), ...(state.events ?? [])].slice(0, shown);
  } while (page.events.length === maxPage);
}

/** @type {Record<string, "good" | "bad" | "warn">} */
const tones = { delivered: "good", failed: "bad", pending: "warn" };

/** @param {any[]} webhooks @param {any} received @param {import("@lyceum/provider-emulators/console/main.js").Tools} tools */
function webhooksView(webhooks, received, { state, act }) {
  const api = `${apiOf(state.admin)}/webhooks`;
  const create = async () => {
    const body = { url: received.url, types: ["*"], description: "Receiver of the console" };
    const { secret } = await post(api, body);
    await post(receiver, { secret });
  };
  return html`<div class="row">${button("Send all events to the receiver", () => act(create, "Webhook created"))}</div>
    ${list(
      webhooks,
      {
        key: ({ _id }) => _id,
        title: ({ url }) => html`<code>${url}</code>`,
        marks: ({ active, disabledReason }) =>
          active ? badge("active", "good") : badge(disabledReason ?? "off", "warn"),
        body: ({ _id, types, description, active, deliveries }) => html`${facts({
          Types: types.join(", "),
          Description: description || undefined,
        })}
        <div class="row">
          ${button("Ping", () => act(() => post(`${api}/${_id}/ping`, {}), "Ping sent"))}
          ${button(active ? "Switch off" : "Switch on", () => act(() => patch(`${api}/${_id}`, { active: !active }), "Changed"))}
          ${button("Remove", () => act(() => remove(`${api}/${_id}`), "Removed"))}
        </div>
        ${deliveries.map(
          (
            /** @type {any} */ one,
          ) => html`<p>${badge(one.state, tones[one.state])} <code>${one.type}</code> ${moment(one.createdAt)}
            ${one.attempts === 1 ? "1 attempt" : `${one.attempts} attempts`} ${one.lastError ?? ""}
            ${button("Send again", () => act(() => post(`${api}/${_id}/deliveries/${one._id}/resend`, {}), "Is sent again"))}</p>`,
        )}`,
      },
      "No webhook yet.",
    )}`;
}

/** @param {any} received @param {import("@lyceum/provider-emulators/console/main.js").Tools} tools */
function receiverView({ answers, answer, messages }, { act }) {
  const choose = (/** @type {any} */ event) => act(() => post(receiver, { answer: event.target.value }), "Changed");
  return html`<label>Answer <select @change=${choose}>
      ${answers.map((/** @type {string} */ one) => html`<option ?selected=${one === answer}>${one}</option>`)}
    </select></label>
    ${list(
      messages,
      {
        key: ({ id, at }) => `${id} ${at}`,
        title: ({ body }) => html`<code>${body.type}</code>`,
        marks: (one) =>
          html`${one.isSigned ? badge("signature verified", "good") : badge("wrong signature", "bad")} answered ${one.answer} ${moment(one.at)}`,
        body: ({ id, body }) => html`${facts({ "webhook-id": html`<code>${id}</code>` })}${json(body)}`,
      },
      "No message yet.",
    )}`;
}

/** @param {any[]} listed */
const eventsView = (listed) =>
  list(
    listed,
    {
      key: ({ _id }) => _id,
      title: ({ type }) => html`<code>${type}</code>`,
      marks: ({ at }) => moment(at),
      body: ({ data }) => json(data),
    },
    "No event yet.",
  );
