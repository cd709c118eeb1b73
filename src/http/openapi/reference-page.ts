import { escapeHtml } from "../../lib/escape-html.js";

/** @param identityEmulator address of the emulator. With it, the page offers users to sign in as. */
export function referencePage(title: string, identityEmulator = ""): string {
  const choice = `<form id="session" data-emulator="${escapeHtml(identityEmulator)}">
<label>Signed in as <select id="user"><option value="">no user</option></select></label>
<span id="session-note" role="status"></span>
<a href="${escapeHtml(identityEmulator)}/dev/console">Emulator console</a>
</form>
`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} API reference</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%230f766e'/%3E%3C/svg%3E">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<link rel="stylesheet" href="/api/docs/page.css">
</head>
<body>
<header>
${identityEmulator === "" ? "" : choice}<form id="search" role="search">
<label>Find <input id="words" type="search" placeholder="path, method or words" autocomplete="off"></label>
<span id="found" role="status"></span>
</form>
</header>
<div id="swagger-ui"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`;
}

export const referenceStyle = `body { margin: 0 }
header { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 8px 32px; padding: 10px 20px;
  font: 15px/1.5 system-ui, sans-serif; background: #ecf5f4; border-bottom: 1px solid #cfe0de; color: #10312e }
header form { display: flex; flex-wrap: wrap; gap: 4px 18px; align-items: center }
header :is(select, input) { font: inherit; padding: 4px 8px; max-width: 100%; border: 1px solid #5c7572; border-radius: 4px }
header a { color: #0b5f58 }
.dark-mode header { background: #12302d; border-color: #2c4a47; color: #d9f2ee }
.dark-mode header :is(select, input) { background: #0e2422; color: #d9f2ee; border-color: #7d9a96 }
.dark-mode header a { color: #5eead4 }
/* An operation that the address names is not hidden by the header. */
.swagger-ui :is(.opblock, .opblock-tag) { scroll-margin-top: 120px }
@media (max-width: 600px) { header { position: static } }
/* Lines of running text have at most 75 characters. */
.swagger-ui :is(.renderedMarkdown, .markdown) :is(p, li), .swagger-ui .opblock-summary-description { max-width: 62ch; margin-left: 0; margin-right: 0 }
.searching .information-container { display: none }
/* Pale by default: text of these parts has too little contrast. There is one server, which need not be chosen. */
.swagger-ui .info .title small { background: #4b5563 }
.swagger-ui .info .title small.version-stamp { background: #3f6212 }
html:not(.dark-mode) .swagger-ui .info :is(a, .url) { color: #1d4ed8 }
.swagger-ui .btn.execute { background: #1d4ed8; border-color: #1d4ed8 }
html:not(.dark-mode) .swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1d4ed8 }
html:not(.dark-mode) .swagger-ui .opblock.opblock-post .opblock-summary-method { background: #047857 }
html:not(.dark-mode) .swagger-ui .opblock.opblock-put .opblock-summary-method { background: #9a3412 }
html:not(.dark-mode) .swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0f766e }
html:not(.dark-mode) .swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b91c1c }
html:not(.dark-mode) .swagger-ui .btn.authorize { border-color: #047857; color: #047857 }
html:not(.dark-mode) .swagger-ui .btn.authorize svg { fill: #047857 }
html:not(.dark-mode) .swagger-ui .btn.cancel { border-color: #b91c1c; color: #b91c1c }
.swagger-ui .scheme-container .servers-title, .swagger-ui .scheme-container .servers { display: none }
.swagger-ui .info { margin: 28px 0 12px }
.swagger-ui .scheme-container { margin: 0 0 12px; padding: 0 0 16px; background: none; box-shadow: none }
.swagger-ui .opblock-tag { font-size: 20px; text-transform: capitalize }
`;

/** Starts the reference. With an emulator, requests carry a token of the chosen user, refreshed before it expires. */
export const referenceScript = `"use strict";
const form = document.getElementById("session");
const dark = matchMedia("(prefers-color-scheme: dark)");
const followColours = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
followColours();
dark.addEventListener("change", followColours);
const ui = SwaggerUIBundle({ url: "/api/openapi.json", dom_id: "#swagger-ui", deepLinking: true, docExpansion: "none",
  defaultModelsExpandDepth: -1, persistAuthorization: !form, tryItOutEnabled: true,
  plugins: [resolveShownParts, searchWords, ...(form ? [withoutAuthorizeButton] : [])],
  onComplete: () => { if (form) signInAsDemoUsers(form); startSearch(); } });

// The user at the top of the page is the sign-in. The lock of an operation still takes an API key.
function withoutAuthorizeButton() {
  return { components: { AuthorizeBtnContainer: () => null } };
}

// Finds operations that have all words in their method, path, summary or group. The page has a search field of its own,
// because that of the library has no label.
function searchWords() {
  const opsFilter = (groups, text) => {
    const words = text.toLowerCase().split(/\\s+/).filter(Boolean);
    const operationsOf = (group, name) => group.get("operations").filter((one) => {
      const parts = [name, one.get("method"), one.get("path"), one.getIn(["operation", "summary"])];
      const whole = parts.join(" ").toLowerCase();
      return words.every((word) => whole.includes(word));
    });
    return groups.map((group, name) => group.set("operations", operationsOf(group, name)))
      .filter((group) => group.get("operations").size > 0);
  };
  return { fn: { opsFilter }, components: { FilterContainer: () => null } };
}

function startSearch() {
  const words = document.getElementById("words");
  const showCount = (groups, unit) => {
    const count = groups.reduce((sum, group) => sum + group.get("operations").size, 0);
    document.getElementById("found").textContent = count + " " + unit;
  };
  const search = () => {
    const text = words.value.trim();
    document.body.classList.toggle("searching", text !== "");
    ui.layoutActions.updateFilter(text);
    const groups = ui.specSelectors.taggedOperations();
    for (const name of groups.keys()) ui.layoutActions.show(["operations-tag", name], text !== "");
    showCount(groups, text === "" ? "operations" : "found");
  };
  showCount(ui.specSelectors.taggedOperations(), "operations");
  let timer;
  words.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(search, 150); });
  document.getElementById("search").addEventListener("submit", (event) => { event.preventDefault(); search(); });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    event.preventDefault();
    words.focus();
  });
}

// The library resolves a whole document of OpenAPI 3.1 before it shows anything, which takes seconds. This resolves
// only the shown part. That is enough, because the server's document refers to its own components only.
function resolveShownParts() {
  const at = (whole, keys) => keys.reduce((part, key) => part?.[key], whole);
  const resolve = (whole, part, seen = []) => {
    if (Array.isArray(part)) return part.map((item) => resolve(whole, item, seen));
    if (part === null || typeof part !== "object") return part;
    const { $ref } = part;
    if (typeof $ref !== "string") {
      return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolve(whole, value, seen)]));
    }
    return seen.includes($ref) ? part : resolve(whole, at(whole, $ref.split("/").slice(1)), [...seen, $ref]);
  };
  return { fn: { resolveSubtree: async (whole, keys) => ({ spec: resolve(whole, at(whole, keys)), errors: [] }) } };
}

async function signInAsDemoUsers({ dataset: { emulator } }) {
  const choice = document.getElementById("user");
  const note = document.getElementById("session-note");
  let isSignedIn = false;
  const call = async (path, body) => {
    const sent = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return (await fetch(emulator + path, sent)).json();
  };
  const signIn = async () => {
    sessionStorage.setItem("user", choice.value);
    if (choice.value === "") {
      if (isSignedIn) ui.authActions.logout(["session"]);
      isSignedIn = false;
      note.textContent = "Requests carry no token.";
      return;
    }
    const { token } = await call("/dev/tokens", { userId: choice.value });
    ui.preauthorizeApiKey("session", token);
    isSignedIn = true;
    note.textContent = "Requests carry a token of this user.";
  };
  try {
    const { users } = await call("/dev/users?limit=100");
    for (const { id, firstName, lastName, publicMetadata } of users) {
      const name = [firstName, lastName].filter(Boolean).join(" ") || id;
      choice.add(new Option(name + " (" + (publicMetadata.role ?? "student") + ")", id));
    }
    const ids = users.map(({ id }) => id);
    const wanted = sessionStorage.getItem("user") ?? "user_demo_asha";
    choice.value = ids.includes(wanted) ? wanted : "";
    await signIn();
    choice.addEventListener("change", signIn);
    setInterval(signIn, 30 * 60 * 1000);
  } catch {
    note.textContent = "The identity emulator does not answer.";
  }
}
`;
