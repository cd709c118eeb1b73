/**
 * Runs in the checkout's frame and posts the result to the page around it. The server names the only origin that may
 * receive it. Without an origin the checkout is a page of its own and posts nothing.
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
const content = /** @type {HTMLElement} */ (document.querySelector("main"));
new ResizeObserver(() => tell({ kind: "height", height: content.offsetHeight })).observe(content);
window.addEventListener("keydown", (event) => {
  if (event.key === "Escape") tell({ kind: "escape" });
});
/** @type {HTMLElement | null} */ (document.querySelector("[data-first]"))?.focus();
