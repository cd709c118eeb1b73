import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

/** @param {string} text @param {string} [tone] `good`, `bad` or `warn` */
export const badge = (text, tone = "") => html`<span class="badge ${tone}">${text}</span>`;

/** Formats a time. It adds the date unless it is today. @param {number | string} at */
export function moment(at) {
  const time = new Date(at);
  const today = time.toDateString() === new Date().toDateString();
  const shown = today ? time.toLocaleTimeString() : time.toLocaleString();
  return html`<time class="soft" datetime=${time.toISOString()}>${shown}</time>`;
}

/** @param {unknown} value JSON, or text that may be JSON */
export function json(value) {
  const text = typeof value === "string" ? indented(value) : JSON.stringify(value, null, 2);
  return html`<pre tabindex="0">${text}</pre>`;
}

/** @param {string} text */
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/**
 * A list whose rows open. An open row stays open while the list changes. @template Item
 * @param {readonly Item[]} items
 * @param {{ key(item: Item): string, title(item: Item): unknown, marks(item: Item): unknown, body(item: Item): unknown }} row
 * @param {string} whenEmpty
 */
export function list(items, row, whenEmpty) {
  if (items.length === 0) return html`<p class="soft">${whenEmpty}</p>`;
  return html`<ul class="items">
    ${repeat(
      items,
      row.key,
      (item) => html`<li>
      <details class="item" data-key=${row.key(item)}>
        <summary><span>${row.title(item)}</span><span class="marks">${row.marks(item)}</span></summary>
        <div class="body">${row.body(item)}</div>
      </details>
    </li>`,
    )}
  </ul>`;
}

/**
 * Cuts a list to its first entries, with a button that shows all.
 * @template Item
 * @param {readonly Item[]} items
 * @param {string} name of the list within its panel
 * @param {Pick<import("./main.js").Tools, "state" | "draw">} tools
 * @param {(shown: readonly Item[]) => unknown} view
 * @param {number} [first] number of the entries
 */
export function bounded(items, name, { state, draw }, view, first = 20) {
  const key = `all ${name}`;
  if (state[key] || items.length <= first) return view(items);
  const showAll = () => {
    state[key] = true;
    draw();
  };
  return html`${view(items.slice(0, first))}
    <p class="row">${button(`Show all ${items.length}`, showAll)}</p>`;
}

/** @param {Record<string, unknown>} facts an undefined value is left out */
export const facts = (facts) => html`<dl>
  ${Object.entries(facts).map(([term, value]) => (value === undefined ? nothing : html`<dt>${term}</dt><dd>${value}</dd>`))}
</dl>`;

/** @param {string} title @param {unknown} body @param {unknown} [actions] */
export const card = (title, body, actions = nothing) => html`<section class="card">
  <div class="head"><h2>${title}</h2><div class="row">${actions}</div></div>
  ${body}
</section>`;

/** @param {string} text @param {() => unknown} action @param {string} [tone] */
export const button = (text, action, tone = "") =>
  html`<button type="button" class=${tone} @click=${action}>${text}</button>`;

/** Reads the fields of a submitted form. @param {SubmitEvent} event @returns {Record<string, string>} */
export function fieldsOf(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.currentTarget);
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

/** @param {number} bytes */
export const size = (bytes) => (bytes < 1024 ? `${bytes} B` : `${Math.ceil(bytes / 1024)} KiB`);
