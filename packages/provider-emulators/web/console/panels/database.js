import { html } from "lit-html";
import { get, post } from "../api.js";
import { badge, button, card, fieldsOf, json, list, moment, size } from "../parts.js";

/** @type {import("../main.js").Panel} */
export const database = {
  id: "database",
  title: "Database",
  needs: ["database"],
  everyMs: 4_000,
  async load({ state }) {
    const found = await get("/database/collections");
    const { open, after } = state;
    const query = after ? `?${new URLSearchParams({ after })}` : "";
    const page = open ? await get(`/database/collections/${encodeURIComponent(open)}${query}`) : undefined;
    return { ...found, page };
  },
  view({ collections, snapshots, page }, tools) {
    const { state, act } = tools;
    const show = (/** @type {string | undefined} */ name) => {
      Object.assign(state, { open: name, after: undefined });
      void act(() => undefined);
    };
    if (page) return documents(state.open, page, show, tools);
    return html`<p class="soft">The application's own database.</p>
    ${card("Whole database", whole(tools))} ${card("Snapshots", kept(snapshots, tools))}
    ${card(
      "Collections",
      html`<table>
        <thead><tr><th scope="col">Collection</th><th scope="col" class="narrow">Documents</th><th scope="col" class="narrow"><span class="unseen">Open</span></th></tr></thead>
        <tbody>${collections.map(
          (
            /** @type {any} */ { name, documents },
          ) => html`<tr><td><code>${name}</code></td><td class="narrow">${documents}</td>
            <td class="narrow">${documents > 0 ? html`<button type="button" aria-label="Open ${name}" @click=${() => show(name)}>Open</button>` : ""}</td></tr>`,
        )}</tbody>
      </table>`,
    )}`;
  },
};

/** @param {import("../main.js").Tools} tools */
function whole({ act }) {
  const reset = (/** @type {string} */ to, /** @type {string} */ question) => {
    if (window.confirm(question)) void act(() => post("/database/reset", { to }), "Done");
  };
  return html`<p class="soft">Accounts, orders and files of the emulators stay.</p>
    <div class="row">
      ${button("Reset to the demo data", () => reset("demo", "Remove everything and load the demo data?"))}
      ${button("Empty", () => reset("empty", "Remove everything?"), "danger")}
    </div>`;
}

/** @param {any[]} snapshots @param {import("../main.js").Tools} tools */
function kept(snapshots, { act }) {
  const save = (/** @type {SubmitEvent} */ event) => {
    const { name = "" } = fieldsOf(event);
    return act(() => post("/database/snapshots", { name }), `Saved as ${name}`);
  };
  const restore = (/** @type {string} */ name) => {
    if (!window.confirm(`Replace the whole database with ${name}?`)) return;
    void act(() => post(`/database/snapshots/${name}/restore`), `${name} is restored`);
  };
  return html`<form class="row" @submit=${save}>
      <label>Name <input name="name" required pattern="[A-Za-z0-9_\\-]{1,60}" autocomplete="off"></label>
      <button class="primary">Save to a file</button>
    </form>
    ${list(
      snapshots,
      {
        key: ({ name }) => name,
        title: ({ name }) => name,
        marks: ({ bytes, savedAt }) => html`${badge(size(bytes))} ${moment(savedAt)}`,
        body: ({ name }) => html`<div class="row">${button("Restore", () => restore(name))}</div>`,
      },
      "No snapshot yet.",
    )}`;
}

/** @param {string} name @param {any} page @param {(name?: string) => void} show @param {import("../main.js").Tools} tools */
function documents(name, page, show, { state, act }) {
  const turn = (/** @type {string | undefined} */ after) => {
    state.after = after;
    void act(() => undefined);
  };
  const idOf = (/** @type {any} */ { _id }) => (typeof _id === "string" ? _id : (_id?.$oid ?? JSON.stringify(_id)));
  return card(
    name,
    list(
      page.documents,
      {
        key: idOf,
        title: (document) => html`<code>${idOf(document)}</code>`,
        marks: () => "",
        body: (document) => json(document),
      },
      "No document here.",
    ),
    html`${button("All collections", () => show(undefined))}
    ${state.after ? button("First page", () => turn(undefined)) : ""}
    ${page.next ? button("Next page", () => turn(page.next)) : ""}`,
  );
}
