import { html, render } from "lit-html";
import { notify } from "./notice.js";

/**
 * Copies a text, or shows it selected when the browser forbids copying.
 * @param {string} what names the text in the message to the user
 * @param {string} text
 */
export async function copy(what, text) {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${what} copied`);
  } catch {
    show(what, text);
  }
}

/** @param {string} what @param {string} text */
function show(what, text) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("copy"));
  render(
    html`<h2 id="copy-title">${what}</h2>
      <p class="soft" id="copy-note">The browser does not let this page copy. The text is selected: copy it with the keyboard.</p>
      <textarea readonly spellcheck="false" aria-labelledby="copy-title" .value=${text}></textarea>
      <p class="row"><button type="button" @click=${() => dialog.close()}>Close</button></p>`,
    dialog,
  );
  dialog.showModal();
  dialog.querySelector("textarea")?.select();
}
