import { get, patch, post, remove } from "@lyceum/provider-emulators/console/api.js";
import { badge, button, card, facts, fieldsOf, list, moment } from "@lyceum/provider-emulators/console/parts.js";
import { moneyOf } from "@lyceum/provider-emulators/money.js";
import { html } from "lit-html";

const shown = 20;

/** @type {import("@lyceum/provider-emulators/console/main.js").Panel} */
const sales = {
  id: "sales",
  title: "Sales",
  needs: ["identity"],
  // Every refresh counts against the rate limit of administrators.
  everyMs: 600_000,
  async load({ state }) {
    const { users } = await get("/identity/dev/users?query=admin&limit=50");
    const admins = users.filter((/** @type {any} */ { publicMetadata }) => publicMetadata.role === "admin");
    state.admin ??= admins[0]?.id;
    if (!state.admin) return { admins };
    const api = apiOf(state.admin);
    const [{ coupons }, { enrollments }, { purchases }, { courses }] = await Promise.all([
      get(`${api}/admin/coupons?limit=${shown}`),
      get(`${api}/admin/enrollments?kind=grant&limit=${shown}`),
      get(`${api}/admin/purchases?limit=${shown}`),
      get(`${api}/course/all`),
    ]);
    return { admins, coupons, grants: enrollments, purchases, courses };
  },
  view({ admins, coupons, grants, purchases, courses }, tools) {
    const { state, act } = tools;
    if (admins.length === 0) {
      return html`${card("No administrator", html`<p class="soft">Give an account the role admin under Users first.</p>`)}`;
    }
    const choose = (/** @type {any} */ event) => {
      state.admin = event.target.value;
      void act(() => undefined);
    };
    return html`<p class="soft">The console calls the application's API with a token of this account, so its rights and limits apply.</p>
      <div class="row">
        <label>Administrator <select @change=${choose}>
          ${admins.map(
            (/** @type {any} */ { id, firstName, lastName }) =>
              html`<option value=${id} ?selected=${id === state.admin}>${[firstName, lastName].filter(Boolean).join(" ") || id}</option>`,
          )}
        </select></label>
        ${button("Reload", () => act(() => undefined))}
      </div>
      ${card("Coupons", couponsView(coupons, courses, purchases[0]?.currency, tools))}
      ${card("Granted enrollments", grantsView(grants, courses, tools))}
      ${card("Purchases and invoices", purchasesView(purchases, tools))}`;
  },
};

export default sales;

/** @param {string} userId */
const apiOf = (userId) => `/application/as/${encodeURIComponent(userId)}/api`;

/** @param {any[]} courses @param {string} id */
const titleOf = (courses, id) => courses.find(({ _id }) => _id === id)?.courseTitle ?? id;

/** @param {any[]} courses @param {string} [first] label of the choice without a course */
const courseChoice = (courses, first) => html`<label>Course <select name="courseId" ?required=${!first}>
  <option value="">${first ?? "Choose one"}</option>
  ${courses.map(({ _id, courseTitle }) => html`<option value=${_id}>${courseTitle}</option>`)}
</select></label>`;

/** Reads the filled fields of a form. @param {SubmitEvent} event */
const given = (event) => Object.fromEntries(Object.entries(fieldsOf(event)).filter(([, value]) => value !== ""));

/**
 * @param {any[]} coupons
 * @param {any[]} courses
 * @param {string | undefined} currency unknown before the first purchase
 * @param {import("@lyceum/provider-emulators/console/main.js").Tools} tools
 */
function couponsView(coupons, courses, currency, { state, act }) {
  const api = apiOf(state.admin);
  const create = (/** @type {SubmitEvent} */ event) => {
    const { courseId, value, maxRedemptions, ...rest } = given(event);
    const body = {
      ...rest,
      value: Number(value),
      ...(courseId ? { courseIds: [courseId] } : {}),
      ...(maxRedemptions ? { maxRedemptions: Number(maxRedemptions) } : {}),
    };
    return act(() => post(`${api}/admin/coupons`, body), "Coupon created");
  };
  const change = (/** @type {any} */ { _id, active }) =>
    act(() => patch(`${api}/admin/coupons/${_id}`, { active: !active }), active ? "Switched off" : "Switched on");
  return html`<form class="row" @submit=${create}>
      <label>Code (empty: random) <input name="code" pattern="[A-Za-z0-9\\-]{4,32}" autocomplete="off"></label>
      <label>Kind <select name="kind"><option value="percent">percent</option><option value="amount">amount</option></select></label>
      <label>Value <input name="value" type="number" min="0" step="any" required></label>
      ${courseChoice(courses, "Every course")}
      <label>Maximum uses <input name="maxRedemptions" type="number" min="1"></label>
      <button class="primary">Create</button>
    </form>
    ${list(
      coupons,
      {
        key: ({ _id }) => _id,
        title: ({ code }) => html`<code>${code}</code>`,
        marks: ({ kind, value, active }) =>
          html`${kind === "percent" ? `${value} %` : currency ? moneyOf(value, currency) : value} ${active ? badge("active", "good") : badge("off", "warn")}`,
        body: (coupon) => html`${facts({
          Courses: coupon.courseIds
            ? coupon.courseIds.map((/** @type {string} */ id) => titleOf(courses, id)).join(", ")
            : "every course",
          Reserved: coupon.reserved,
          Redeemed: `${coupon.redeemed} of ${coupon.maxRedemptions ?? "any number"}`,
          "Uses per learner": coupon.maxPerUser,
          From: coupon.startsAt ? moment(coupon.startsAt) : undefined,
          Until: coupon.expiresAt ? moment(coupon.expiresAt) : undefined,
        })}
        <div class="row">${button(coupon.active ? "Switch off" : "Switch on", () => change(coupon))}</div>`,
      },
      "No coupon yet.",
    )}`;
}

/** @param {any[]} grants @param {any[]} courses @param {import("@lyceum/provider-emulators/console/main.js").Tools} tools */
function grantsView(grants, courses, { state, act }) {
  const api = apiOf(state.admin);
  const grant = (/** @type {SubmitEvent} */ event) => {
    const { expiresOn, ...rest } = given(event);
    const body = { ...rest, ...(expiresOn ? { expiresAt: new Date(expiresOn).toISOString() } : {}) };
    return act(() => post(`${api}/admin/enrollments`, body), "Enrolled");
  };
  const revoke = (/** @type {string} */ id) => act(() => remove(`${api}/admin/enrollments/${id}`), "Grant ended");
  return html`<form class="row" @submit=${grant}>
      <label>E-mail address <input name="email" type="email" required autocomplete="off"></label>
      ${courseChoice(courses)}
      <label>Reason <input name="reason" required maxlength="200" autocomplete="off"></label>
      <label>Until <input name="expiresOn" type="date"></label>
      <button class="primary">Grant</button>
    </form>
    ${list(
      grants,
      {
        key: ({ _id }) => _id,
        title: ({ email, userId }) => email ?? userId,
        marks: ({ state: is, courseId }) =>
          html`${titleOf(courses, courseId)} ${badge(is, is === "active" ? "good" : "warn")}`,
        body: (one) => html`${facts({
          User: one.userId ?? "has not signed up with this address yet",
          Reason: one.reason,
          Granted: moment(one.createdAt),
          Until: one.expiresAt ? moment(one.expiresAt) : undefined,
        })}
        <div class="row">${button("End the grant", () => revoke(one._id), "danger")}</div>`,
      },
      "Nothing granted yet.",
    )}`;
}

/** @param {any[]} purchases @param {import("@lyceum/provider-emulators/console/main.js").Tools} tools */
function purchasesView(purchases, { state }) {
  const document = (/** @type {any} */ { _id }, query = "") =>
    `${apiOf(state.admin)}/admin/purchases/${_id}/invoice${query}`;
  const link = (/** @type {string} */ address, /** @type {string} */ text) =>
    html`<a class="button" href=${address} target="_blank" rel="noreferrer">${text}</a>`;
  const paid = (/** @type {any} */ { status, amount }) => amount > 0 && /^(completed|refunded)$/.test(status);
  return list(
    purchases,
    {
      key: ({ _id }) => _id,
      title: ({ courseId, _id }) => courseId?.courseTitle ?? _id,
      marks: ({ amount, currency, status, createdAt }) =>
        html`${moneyOf(amount, currency)} ${badge(status, status === "completed" ? "good" : "")} ${moment(createdAt)}`,
      body: (purchase) => html`${facts({
        Purchase: html`<code>${purchase._id}</code>`,
        Buyer: html`<code>${purchase.userId}</code>`,
      })}
      ${
        paid(purchase)
          ? html`<div class="row">${link(document(purchase), "Invoice")}
              ${purchase.status === "refunded" ? link(document(purchase, "?document=credit-note"), "Credit note") : ""}</div>`
          : html`<p class="soft">No invoice: nothing was paid.</p>`
      }`,
    },
    "No purchase yet.",
  );
}
