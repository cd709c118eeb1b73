import { html } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { get } from "../api.js";
import { faultCard } from "../faults.js";
import { card, size } from "../parts.js";

const shown = 60;

/** @type {import("../main.js").Panel} */
export const media = {
  id: "media",
  title: "Media",
  needs: ["storage"],
  everyMs: 5_000,
  async load() {
    const [{ assets }, faults] = await Promise.all([get("/storage/dev/assets"), get("/storage/dev/faults")]);
    return { assets, ...faults };
  },
  view({ assets, faults }, tools) {
    const newest = assets
      .toSorted((/** @type {any} */ left, /** @type {any} */ right) => right.version - left.version)
      .slice(0, shown);
    const isPdf = (/** @type {any} */ { contentType }) => contentType === "application/pdf";
    const documents = newest.filter(isPdf);
    const others = newest.filter((/** @type {any} */ asset) => !isPdf(asset));
    return html`<p class="soft">Files of the media store: ${assets.length}${assets.length > shown ? `, the newest ${shown} shown` : ""}.</p>
      ${card("Certificates and other documents", documents.length > 0 ? grid(documents) : html`<p class="soft">None yet. Complete a course.</p>`)}
      ${card("Pictures and films", others.length > 0 ? grid(others) : html`<p class="soft">None yet.</p>`)}
      ${faultCard("storage", faults, tools)}`;
  },
};

/** @param {any[]} assets */
const grid = (assets) => html`<div class="grid">
  ${repeat(
    assets,
    ({ url }) => url,
    (asset) => html`<figure class="card">
      ${preview(asset)}
      <figcaption><a href=${asset.url} target="_blank" rel="noreferrer">${asset.publicId}</a>
        <span class="soft">${asset.contentType}, ${size(asset.bytes)}</span></figcaption>
    </figure>`,
  )}
</div>`;

/** @param {any} asset */
function preview({ url, contentType, publicId }) {
  if (contentType.startsWith("image/")) return html`<img class="preview" src=${url} alt="" loading="lazy">`;
  if (contentType.startsWith("video/")) return html`<video class="preview" src=${url} controls preload="none"></video>`;
  if (contentType === "application/pdf") {
    return html`<iframe class="preview" src="${url}#toolbar=0&navpanes=0&view=FitH" title="Document ${publicId}" loading="lazy"></iframe>`;
  }
  return "";
}
