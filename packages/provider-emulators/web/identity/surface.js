const style = `
:host { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; color: light-dark(#0f172a, #e6eef0) }
* { box-sizing: border-box }
dialog, [popover] { font: inherit; color: inherit; background: light-dark(#fff, #161f22);
  border: 1px solid light-dark(#d7e0e0, #2c3a3f); border-radius: 14px; padding: 0 }
dialog { width: min(440px, calc(100vw - 24px)); margin: auto }
dialog::backdrop { background: #0f172a99 }
.panel { position: relative; padding: 20px; max-width: 440px; background: light-dark(#fff, #161f22); border-radius: 14px }
h2 { font-size: 18px; line-height: 1.4; margin: 0 40px 4px 0 }
p { margin: 0 0 12px; overflow-wrap: anywhere }
.soft { color: light-dark(#51606b, #a3b4b9) }
.bad { color: light-dark(#991b1b, #ffb4b4) }
ul { list-style: none; margin: 10px 0; padding: 0; max-height: 280px; overflow: auto }
input, button, .item { font: inherit; color: inherit; background: transparent; border-radius: 8px; padding: 6px 10px;
  border: 1px solid light-dark(#7d8c8c, #6f8288) }
button, .item { cursor: pointer; text-decoration: none }
.item { display: block; width: 100%; text-align: left; border-color: transparent }
.item:hover { background: light-dark(#eef3f3, #1e2a2e) }
.close { position: absolute; top: 14px; right: 14px; width: 36px; height: 36px; padding: 0; border-color: transparent }
form { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; margin-top: 12px }
label { display: grid; font-size: 13px }
.wide { grid-column: 1 / -1 }
input { width: 100% }
.avatar { display: grid; place-items: center; width: 32px; height: 32px; padding: 0; border: 0; border-radius: 50%; overflow: hidden;
  background: #0f766e; color: #fff; font-size: 13px; font-weight: 600 }
.avatar::before { content: attr(data-initials) }
.avatar img { width: 100%; height: 100%; object-fit: cover }
[popover] { position: fixed; inset: auto; margin: 0; padding: 8px; min-width: 220px; box-shadow: 0 8px 30px #0f172a33 }
[popover] p { margin: 4px 10px 8px }
:focus-visible { outline: 3px solid light-dark(#0f766e, #2dd4bf); outline-offset: 2px }
`;

/**
 * Gives the element a shadow root, so that the application's style sheets do not change what is inside. A second call
 * replaces the content.
 * @param {HTMLElement} host
 * @param {...(Node | string)} content
 */
export function fillShadow(host, ...content) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  root.adoptedStyleSheets = [sheet];
  root.replaceChildren(...content);
}

/**
 * Opens a modal dialog. The Escape key, the close button and a click on the backdrop close it.
 * @param {string} title
 * @param {HTMLElement} panel
 */
export function openDialog(title, panel) {
  const host = document.createElement("div");
  const dialog = element("dialog", { ariaLabel: title });
  const closeButton = element("button", { type: "button", className: "close", ariaLabel: "Close", textContent: "✕" });
  closeButton.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  dialog.addEventListener("close", () => host.remove());
  panel.append(closeButton);
  dialog.append(panel);
  fillShadow(host, dialog);
  document.body.append(host);
  dialog.showModal();
  return dialog;
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<HTMLElementTagNameMap[Name]>} [properties]
 * @param {...(Node | string)} content
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, properties = {}, ...content) {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...content);
  return created;
}
