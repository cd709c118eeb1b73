import { get } from "@lyceum/provider-emulators/console/api.js";
import { badge, button, card, facts, list, moment } from "@lyceum/provider-emulators/console/parts.js";
import { html } from "lit-html";

const application = "/application/public";
/** Messages of the application's 404. */
const [off, noList] = ["Credentials are not set up", "Status list not found"];

/** @type {import("@lyceum/provider-emulators/console/main.js").Panel} */
const credentials = {
  id: "credentials",
  title: "Credentials",
  everyMs: 600_000,
  async load() {
    const document = await read("/.well-known/did.json", off);
    return { document, lists: document ? await readLists() : [] };
  },
  view({ document, lists }, { act }) {
    return html`<p class="soft">What anyone reads to verify the certificates of the application as Open Badges.</p>
      <div class="row">${button("Reload", () => act(() => undefined))}</div>
      ${card("Published keys", document ? keysView(document, lists) : html`<p>Off, because no key is set: <code>CREDENTIAL_KEYS</code> is empty. Certificates have no badge and no credential.</p>`)}
      ${document ? card("Status lists", listsView(lists)) : ""}`;
  },
};

export default credentials;

/** Reads a public document. @param {string} path @param {string} missing message of the 404 that is no error */
const read = (path, missing) =>
  get(application + path).catch((error) => {
    if (error.message !== missing) throw error;
  });

/** Reads the status lists, which are numbered from 1, with the entries that have ended. */
async function readLists() {
  const lists = [];
  for (let number = 1; ; number += 1) {
    const found = await read(`/api/certificate/status/${number}`, noList);
    if (!found) return lists;
    const [{ verificationMethod: signedWith }] = found.proof;
    lists.push({ ...found, signedWith, ...(await countEntries(found.credentialSubject.encodedList)) });
  }
}

/** @param {string} encodedList `u`, then base64url of gzipped bits */
async function countEntries(encodedList) {
  const text = atob(encodedList.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
  const packed = new Blob([Uint8Array.from(text, (character) => character.charCodeAt(0))]);
  const unpacked = packed.stream().pipeThrough(new DecompressionStream("gzip"));
  const bits = new Uint8Array(await new Response(unpacked).arrayBuffer());
  const ended = bits.reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0);
  return { ended, entries: bits.length * 8 };
}

/** The key that signs is known from the first status list. @param {any} document @param {any[]} lists */
function keysView({ id, verificationMethod }, [first]) {
  return html`${facts({ Issuer: html`<code>${id}</code>` })}
    ${list(
      verificationMethod,
      {
        key: (method) => method.id,
        title: ({ publicKeyMultibase }) => html`<code>${publicKeyMultibase}</code>`,
        marks: (method) => (first?.signedWith === method.id ? badge("signs", "good") : badge("published")),
        body: (method) => facts({ Id: html`<code>${method.id}</code>`, Type: method.type }),
      },
      "No key.",
    )}`;
}

/** @param {any[]} lists */
const listsView = (lists) =>
  list(
    lists,
    {
      key: ({ id }) => id,
      title: ({ id }) => html`<code>${id}</code>`,
      marks: ({ ended }) => badge(`${ended} ended`, ended > 0 ? "warn" : "good"),
      body: ({ ended, entries, credentialSubject, validFrom, signedWith }) =>
        facts({
          Purpose: credentialSubject.statusPurpose,
          Ended: `${ended} of ${entries} entries: revoked, reissued or erased`,
          Signed: moment(validFrom),
          "Signed with": html`<code>${signedWith}</code>`,
        }),
    },
    "None yet: the first credential makes one.",
  );
