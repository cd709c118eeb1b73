import { html, render } from "lit-html";
import { get } from "./api.js";
import { notify } from "./notice.js";
import { ai } from "./panels/ai.js";
import { database } from "./panels/database.js";
import { mailbox } from "./panels/mailbox.js";
import { media } from "./panels/media.js";
import { overview } from "./panels/overview.js";
import { payments } from "./panels/payments.js";
import { requests } from "./panels/requests.js";
import { users } from "./panels/users.js";
import { webhooks } from "./panels/webhooks.js";

/**
 * A panel of the console. `load` fetches its data and `view` renders them. `state` keeps the panel's choices between
 * renders. `act` runs the action of a button, shows its error and loads again. `begin` runs when the panel opens and
 * returns a function that runs when the user leaves it.
 * @typedef {(work: () => unknown, done?: string) => Promise<void>} Act
 * @typedef {{ state: Record<string, any>, act: Act, draw: () => void, server: any }} Tools
 * @typedef {{ id: string, title: string, needs?: string[], everyMs?: number, load(tools: Tools): Promise<any>,
 *   view(data: any, tools: Tools): unknown, begin?(tools: Tools): () => void }} Panel
 */

/** @type {Panel[]} */
const ownPanels = [overview, users, payments, webhooks, media, mailbox, ai, database, requests];
/** The console's panels, then those of the application. */
let panels = ownPanels;

/** The parts of the server. Every panel loads them again. */
let server = await get("/state");
/** @type {(() => void) | undefined} */
let leave;

/** @returns {Panel[]} */
const shown = () => panels.filter(({ needs }) => !needs || needs.some((part) => server.panels.includes(part)));

async function open() {
  leave?.();
  server = await get("/state").catch(() => server);
  const modules = server.modules.map((/** @type {string} */ path) => import(path));
  panels = [...ownPanels, ...(await Promise.all(modules)).map((module) => module.default)];
  const wanted = location.hash.slice(1).split("/")[0];
  const panel = shown().find(({ id }) => id === wanted) ?? overview;
  drawFrame(panel);
  leave = run(panel);
}

/** Refreshes a panel until the user leaves it. @param {Panel} panel @returns {() => void} */
function run(panel) {
  const content = /** @type {HTMLElement} */ (document.getElementById("content"));
  let left = false;
  /** @type {any} */
  let data;
  const draw = () => {
    if (left || data === undefined) return;
    render(html`<h1>${panel.title}</h1>${panel.view(data, tools)}`, content);
  };
  const load = async () => {
    try {
      data = await panel.load(tools);
      draw();
    } catch (error) {
      if (!left) notify(/** @type {Error} */ (error).message, "bad");
    }
  };
  /** @type {Act} */
  const act = async (work, done) => {
    try {
      await work();
      if (done) notify(done);
    } catch (error) {
      notify(/** @type {Error} */ (error).message, "bad");
    }
    await load();
  };
  const tools = { state: {}, act, draw, server };
  const end = panel.begin?.(tools);
  void load();
  const timer = setInterval(() => void (document.hidden || load()), panel.everyMs ?? 2_000);
  return () => {
    left = true;
    clearInterval(timer);
    end?.();
    render(html``, content);
  };
}

/** @param {Panel} current */
function drawFrame(current) {
  document.title = `${current.title} · Emulator console`;
  const link = (/** @type {Panel} */ { id, title }) =>
    html`<a href="./#${id}" aria-current=${id === current.id ? "page" : "false"}>${title}</a>`;
  const panelLinks = /** @type {HTMLElement} */ (document.getElementById("panels"));
  render(shown().map(link), panelLinks);
  // On a narrow page the links are one row that scrolls.
  panelLinks.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "center" });
  const { application } = server;
  const reference = application?.reference ? html`<a href=${application.reference}>API reference</a>` : "";
  const theme = html`<label class="check"><span class="unseen">Colours</span>
    <select @change=${(/** @type {any} */ event) => setTheme(event.target.value)}>
      ${["system", "light", "dark"].map(
        (name) => html`<option value=${name} ?selected=${name === (localStorage.getItem("theme") ?? "system")}>
          ${name === "system" ? "Colours of the system" : `${name === "light" ? "Light" : "Dark"} colours`}
        </option>`,
      )}
    </select></label>`;
  render(html`${reference}${theme}`, /** @type {HTMLElement} */ (document.getElementById("links")));
}

/** @param {string} theme */
function setTheme(theme) {
  localStorage.setItem("theme", theme);
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

setTheme(localStorage.getItem("theme") ?? "system");
window.addEventListener("hashchange", async () => {
  await open();
  document.getElementById("content")?.focus();
});
await open();
