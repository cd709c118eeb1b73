import { html } from "lit-html";
import { post, remove } from "./api.js";
import { button, card, fieldsOf } from "./parts.js";

/** The faults of each provider, with their other fields. @type {Record<string, Record<string, object>>} */
const kinds = {
  storage: { error: {}, slow: { ms: 5_000 }, cut: {}, garbled: {}, hang: {}, "lost-reply": {}, timeout: {} },
  mail: {
    away: {},
    "refuse-connection": {},
    "refuse-sign-in": {},
    "refuse-sender": {},
    "refuse-recipient": {},
    error: {},
    cut: {},
    "cut-data": {},
    slow: { ms: 5_000 },
    "lost-reply": {},
    timeout: {},
  },
  ai: {
    slow: { firstByteMs: 4_000, perChunkMs: 150 },
    "rate-limit": {},
    error: {},
    hang: {},
    cut: {},
    stall: {},
    junk: {},
    "schema-violation": {},
    refusal: {},
    truncation: {},
    empty: {},
  },
};

/**
 * Renders the switches of a provider's faults.
 * @param {string} provider
 * @param {any[]} active
 * @param {import("./main.js").Tools} tools
 */
export function faultCard(provider, active, { act }) {
  const offered = kinds[provider] ?? {};
  const add = (/** @type {SubmitEvent} */ event) => {
    const { kind = "", times = "" } = fieldsOf(event);
    const fault = { kind, ...offered[kind], ...(times === "" ? {} : { times: Number(times) }) };
    return act(() => post(`/${provider}/dev/faults`, fault), `Fault on: ${kind}`);
  };
  return card(
    "Faults",
    html`<form class="row" @submit=${add}>
        <label>Fault <select name="kind">${Object.keys(offered).map((kind) => html`<option>${kind}</option>`)}</select></label>
        <label>Calls (empty: all) <input name="times" type="number" min="1" max="1000"></label>
        <button>Switch on</button>
      </form>
      ${active.map((fault) => html`<p><code>${JSON.stringify(fault)}</code></p>`)}`,
    active.length > 0
      ? button("Switch all off", () => act(() => remove(`/${provider}/dev/faults`), "Faults are off"), "danger")
      : "",
  );
}
