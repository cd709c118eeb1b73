/** Copies tokens without leaving the page, and keeps the page current while no form or link of it has the focus. */
export const overviewScript = `"use strict";
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  event.preventDefault();
  const reply = await fetch(button.form.action, { method: "POST", headers: { accept: "text/plain" } });
  await navigator.clipboard.writeText(await reply.text());
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy token"; }, 1500);
});
setInterval(async () => {
  if (document.hidden || document.activeElement?.closest("form, a")) return;
  const reply = await fetch("/").catch(() => null);
  if (!reply?.ok) return;
  const fresh = new DOMParser().parseFromString(await reply.text(), "text/html").querySelector("main");
  const current = document.querySelector("main");
  if (fresh && current && fresh.innerHTML !== current.innerHTML) current.replaceWith(fresh);
}, 2000);
`;
