import { html } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { get } from "../api.js";
import { faultCard } from "../faults.js";
import { bounded, card, size } from "../parts.js";

/** @type {[string, (contentType: string) => boolean][]} */
const kinds = [
  ["Certificates and other documents", (type) => type === "application/pdf"],
  ["Pictures", (type) => type.startsWith("image/")],
  ["Films and sound", (type) => /^(video|audio)\//.test(type)],
  ["Other files", () => true],
];

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
    const newest = assets.toSorted((/** @type {any} */ left, /** @type {any} */ right) => right.version - left.version);
    const kindOf = (/** @type {any} */ { contentType }) => kinds.find(([, isOfKind]) => isOfKind(contentType))?.[0];
    const groups = kinds
      .map(([title]) => ({ title, files: newest.filter((/** @type {any} */ asset) => kindOf(asset) === title) }))
      .filter(({ files }) => files.length > 0);
    return html`<p class="soft">Files of the media store: ${assets.length === 0 ? "none yet" : assets.length}. Complete a course to get a certificate.</p>
      ${groups.map(({ title, files }) => card(`${title} (${files.length})`, bounded(files, title, tools, grid, 6)))}
      ${faultCard("storage", faults, tools)}`;
  },
};

/** @param {readonly any[]} assets */
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
