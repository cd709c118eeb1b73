/**
 * Inside the checkout's frame: tells the page around it what happened. The server names the only origin that may hear
 * it; without one the checkout is a page of its own and nothing is told.
 */
const { embedder, message } = document.body.dataset;

/** @param {object} what */
function tell(what) {
  if (embedder && window.parent !== window) window.parent.postMessage(what, embedder);
}

if (message) tell(JSON.parse(message));
for (const button of document.querySelectorAll("[data-dismiss]")) {
  button.addEventListener("click", () => tell({ kind: "dismissed" }));
}
window.addEventListener("keydown", (event) => {
  if (event.key === "Escape") tell({ kind: "escape" });
});
/** @type {HTMLElement | null} */ (document.querySelector("[data-first]"))?.focus();
