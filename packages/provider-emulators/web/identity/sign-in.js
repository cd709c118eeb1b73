/** @import { Session } from "./session.js" */

const style = `
:host { color-scheme: light dark }
dialog { font: 15px/1.5 system-ui, sans-serif; border: 1px solid light-dark(#d7e0e0, #2c3a3f); border-radius: 14px; padding: 20px;
  width: min(440px, calc(100vw - 24px)); background: light-dark(#fff, #161f22); color: light-dark(#0f172a, #e6eef0) }
dialog::backdrop { background: #0f172a99 }
h2 { font-size: 18px; margin: 0 0 4px }
p { margin: 0 0 12px; color: light-dark(#51606b, #a3b4b9) }
ul { list-style: none; margin: 10px 0; padding: 0; max-height: 280px; overflow: auto }
dialog, input { box-sizing: border-box }
input, button { font: inherit; color: inherit; background: transparent; border: 1px solid light-dark(#7d8c8c, #6f8288); border-radius: 8px; padding: 6px 10px }
button { cursor: pointer }
li button { width: 100%; text-align: left; border-color: transparent }
li button:hover { background: light-dark(#eef3f3, #1e2a2e) }
form { display: flex; gap: 8px; flex-wrap: wrap }
input { flex: 1; min-width: 120px }
input[type="search"] { width: 100% }
:focus-visible { outline: 3px solid light-dark(#0f766e, #2dd4bf); outline-offset: -2px }
`;

/**
 * Opens a dialog to choose a user or to sign up. It resolves when the dialog closes.
 * @param {Session} session
 */
export async function openSignIn(session) {
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  root.adoptedStyleSheets = [sheet];
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "title");
  dialog.append(
    element("h2", { id: "title", textContent: "Sign in" }),
    element("p", { textContent: "Emulated: choose a user. No password is needed." }),
  );
  const search = element("input", { type: "search", placeholder: "Search", ariaLabel: "Search users" });
  const list = document.createElement("ul");
  const show = async () => {
    const users = await session.users(search.value);
    list.replaceChildren(...users.map((user) => row(user, () => session.signIn(user.id).then(() => dialog.close()))));
  };
  search.addEventListener("input", () => void show());
  dialog.append(search, list, signUpForm(session, dialog));
  root.append(dialog);
  document.body.append(host);
  dialog.showModal();
  await show().catch((error) => list.replaceChildren(element("li", { textContent: error.message })));
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  host.remove();
}

/** @param {import("./session.js").Account} user @param {() => void} choose */
function row(user, choose) {
  const name = [user.firstName, user.lastName].filter(Boolean).join(" ") || user.id;
  const button = element("button", {
    type: "button",
    textContent: `${name} (${user.publicMetadata.role ?? "student"})`,
  });
  button.addEventListener("click", choose);
  const item = document.createElement("li");
  item.append(button);
  return item;
}

/** @param {Session} session @param {HTMLDialogElement} dialog */
function signUpForm(session, dialog) {
  const form = document.createElement("form");
  const name = element("input", { placeholder: "First name", ariaLabel: "First name", required: true });
  form.append(name, element("button", { textContent: "Sign up" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void session.signUp({ firstName: name.value }).then(() => dialog.close());
  });
  return form;
}

/**
 * @template {"h2" | "p" | "li" | "input" | "button"} Name
 * @param {Name} name
 * @param {object} properties
 */
const element = (name, properties) => Object.assign(document.createElement(name), properties);
