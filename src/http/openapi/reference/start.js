// Starts the reference. With an emulator, requests carry a token of the chosen user, refreshed before it expires.

const form = document.getElementById("session");
const dark = matchMedia("(prefers-color-scheme: dark)");
const followColours = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
followColours();
dark.addEventListener("change", followColours);
const ui = SwaggerUIBundle({
  url: "/api/openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: -1,
  persistAuthorization: !form,
  tryItOutEnabled: true,
  // The colours of the default theme have too little contrast.
  syntaxHighlight: { theme: "tomorrow-night" },
  plugins: [resolveShownParts, searchWords, ...(form ? [withoutAuthorizeButton] : [])],
  onComplete: () => {
    nameFields();
    if (form) signInAsDemoUsers(form);
    startSearch();
  },
});

// The library gives its fields no labels, and no focus to examples that scroll.
function nameFields() {
  const unnamed = ":is(input, select, textarea):not([aria-label], [type=submit])";
  const nameOf = (field) => {
    if (field.matches(".examples-select-element")) return "Example";
    if (field.matches(".content-type")) return "Media type";
    const { paramName, propertyName } = field.closest("[data-param-name], [data-property-name]")?.dataset ?? {};
    return paramName ?? propertyName ?? "Request body";
  };
  const name = () => {
    for (const field of document.querySelectorAll(`.opblock-body ${unnamed}`)) field.ariaLabel = nameOf(field);
    for (const example of document.querySelectorAll(".microlight:not([tabindex])")) example.tabIndex = 0;
  };
  new MutationObserver(name).observe(document.getElementById("swagger-ui"), { childList: true, subtree: true });
}

// The user at the top of the page is the sign-in. The lock of an operation still takes an API key.
function withoutAuthorizeButton() {
  return { components: { AuthorizeBtnContainer: () => null } };
}

// Finds operations that have all words in their method, path, summary or group. The page has a search field of its own,
// because that of the library has no label.
function searchWords() {
  const opsFilter = (groups, text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const operationsOf = (group, name) =>
      group.get("operations").filter((one) => {
        const parts = [name, one.get("method"), one.get("path"), one.getIn(["operation", "summary"])];
        const whole = parts.join(" ").toLowerCase();
        return words.every((word) => whole.includes(word));
      });
    return groups
      .map((group, name) => group.set("operations", operationsOf(group, name)))
      .filter((group) => group.get("operations").size > 0);
  };
  return { fn: { opsFilter }, components: { FilterContainer: () => null } };
}

function startSearch() {
  const words = document.getElementById("words");
  const showCount = (groups, unit) => {
    const count = groups.reduce((sum, group) => sum + group.get("operations").size, 0);
    document.getElementById("found").textContent = `${count} ${unit}`;
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
  words.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 150);
  });
  document.getElementById("search").addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
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
    const sent = body && {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    };
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
      choice.add(new Option(`${name} (${publicMetadata.role ?? "student"})`, id));
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
