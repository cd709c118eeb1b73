/** @type {ReturnType<typeof setTimeout> | undefined} */
let fading;

/**
 * Shows a sentence at the bottom of the page and announces it to screen readers.
 * @param {string} text
 * @param {"" | "bad"} [tone]
 */
export function notify(text, tone = "") {
  const notice = document.getElementById("notice");
  if (!notice) return;
  clearTimeout(fading);
  notice.className = tone;
  notice.textContent = text;
  fading = setTimeout(() => notice.replaceChildren(), tone === "bad" ? 12_000 : 4_000);
}
