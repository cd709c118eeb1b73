import { html } from "lit-html";
import { get, remove } from "../api.js";
import { faultCard } from "../faults.js";
import { badge, bounded, button, card, facts, list, moment } from "../parts.js";

/** @type {import("../main.js").Panel} */
export const mailbox = {
  id: "mailbox",
  title: "Mailbox",
  needs: ["mail"],
  async load() {
    const [{ mails }, faults] = await Promise.all([get("/mail/dev/mails"), get("/mail/dev/faults")]);
    return { mails: mails.toReversed(), ...faults };
  },
  view({ mails, faults }, tools) {
    const { act } = tools;
    const rows = (/** @type {readonly any[]} */ shown) =>
      list(
        shown,
        {
          key: ({ id }) => id,
          title: ({ subject }) => subject,
          marks: ({ at, to }) => html`${to.map((/** @type {string} */ address) => badge(address))} ${moment(at)}`,
          body: mail,
        },
        "No mail yet.",
      );
    return html`<p class="soft">Mails of the application. The emulator takes them all and delivers none.</p>
      ${card(
        "Mails",
        bounded(mails, "mails", tools, rows),
        mails.length > 0 ? button("Clear the mailbox", () => act(() => remove("/mail/dev/mails"), "Cleared")) : "",
      )}
      ${faultCard("mail", faults, tools)}`;
  },
};

/** @param {any} mail */
const mail = ({ id, from, to, subject, text, headers }) => html`${facts({ From: from, To: to.join(", ") })}
  <h3>HTML</h3>
  <iframe class="mail" src="/mail/dev/mails/${id}/html" title="Mail ${subject}" loading="lazy"
    sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
  <h3>Text</h3><pre tabindex="0">${text}</pre>
  <h3>Headers</h3>
  <pre tabindex="0">${headers.map((/** @type {any} */ { name, value }) => `${name}: ${value}\n`)}</pre>`;
