import { html } from "lit-html";
import { get, patch, post, remove } from "../api.js";
import { badge, button, card, facts, fieldsOf, list, moment } from "../parts.js";
import { copyCurl, copyToken } from "../tokens.js";

const roles = ["student", "educator", "admin"];
const lives = { "1 minute": 60, "1 hour": 3_600, "1 day": 86_400 };
const faults = ["expired", "not-yet-valid", "wrong-signature", "other-issuer", "other-party"];
/** @type {Record<string, string>} */
const tones = { admin: "warn", educator: "good" };
const shown = 50;

/** @param {any} user */
const nameOf = ({ firstName, lastName, id }) => [firstName, lastName].filter(Boolean).join(" ") || id;
/** @param {any} user */
const roleOf = ({ publicMetadata }) => String(publicMetadata.role ?? "student");

/** @type {import("../main.js").Panel} */
export const users = {
  id: "users",
  title: "Users",
  needs: ["identity"],
  load: ({ state }) =>
    get(`/identity/dev/users?${new URLSearchParams({ query: state.query ?? "", limit: String(shown) })}`),
  view(data, tools) {
    const { state, act } = tools;
    const search = (/** @type {any} */ event) => {
      state.query = event.target.value;
      void act(() => undefined);
    };
    return html`<p class="soft">Accounts of the identity provider. The application receives each change by webhook.</p>
      ${card("New user", form(tools))}
      ${card(
        "Users",
        list(
          data.users,
          {
            key: ({ id }) => id,
            title: (user) => html`${nameOf(user)} <span class="soft">${user.email ?? ""}</span>`,
            marks: (user) => badge(roleOf(user), tones[roleOf(user)]),
            body: (user) => details(user, tools),
          },
          state.query ? "No user matches." : "No user yet.",
        ),
        html`<label>Search <input type="search" @input=${search} placeholder="name, address, id or role"></label>`,
      )}
      ${data.total > shown ? html`<p class="soft">The first ${shown} of ${data.total} are shown: search for others.</p>` : ""}`;
  },
};

/** @param {import("../main.js").Tools} tools */
function form({ act }) {
  const create = async (/** @type {SubmitEvent} */ event) => {
    const { firstName = "", lastName = "", email = "", role = "" } = fieldsOf(event);
    const target = /** @type {HTMLFormElement} */ (event.target);
    const user = { firstName, lastName, email: email || null, ...(role === "student" ? {} : { role }) };
    await act(async () => {
      await post("/identity/dev/users", user);
      target.reset();
    }, `${firstName} is signed up`);
  };
  return html`<form class="row" @submit=${create}>
    <label>First name <input name="firstName" required autocomplete="off"></label>
    <label>Last name <input name="lastName" autocomplete="off"></label>
    <label>Email <input name="email" type="email" autocomplete="off"></label>
    <label>Role <select name="role">${roles.map((role) => html`<option>${role}</option>`)}</select></label>
    <button class="primary">Create</button>
  </form>`;
}

/** @param {any} user @param {import("../main.js").Tools} tools */
function details(user, { act, server }) {
  const { id } = user;
  const changeRole = (/** @type {any} */ event) =>
    act(() => patch(`/identity/dev/users/${encodeURIComponent(id)}`, { role: event.target.value }), "Role changed");
  const takeFault = (/** @type {any} */ event) => {
    const fault = event.target.value;
    event.target.value = "";
    return act(() => copyToken({ userId: id, fault }));
  };
  const sign = (/** @type {[string, number]} */ [text, expiresInSeconds]) =>
    button(`Copy token for ${text}`, () => act(() => copyToken({ userId: id, expiresInSeconds })));
  const erase = () => {
    if (window.confirm(`Delete ${nameOf(user)}?`)) {
      void act(() => remove(`/identity/dev/users/${encodeURIComponent(id)}`), "User deleted");
    }
  };
  return html`${facts({ Id: html`<code>${id}</code>`, Created: moment(user.createdAt), Changed: moment(user.updatedAt) })}
    <div class="row">
      ${Object.entries(lives).map(sign)}
      ${button("Copy curl", () => act(() => copyCurl(id, server.application?.url)))}
    </div>
    <div class="row">
      <label>Token to be refused
        <select @change=${takeFault}><option value="">choose</option>${faults.map((fault) => html`<option>${fault}</option>`)}</select>
      </label>
      <label>Role in the account
        <select @change=${changeRole}>${roles.map((role) => html`<option ?selected=${role === roleOf(user)}>${role}</option>`)}</select>
      </label>
      ${button("Delete user", erase, "danger")}
    </div>`;
}
