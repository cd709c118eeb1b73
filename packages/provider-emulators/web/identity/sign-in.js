import { element } from "./surface.js";

/** @import { Session } from "./session.js" */

/**
 * Builds a panel to choose a user or to sign up.
 * @param {Session} session
 * @param {() => void} onDone runs after the user has signed in
 */
export function signInPanel(session, onDone) {
  const search = element("input", { type: "search", placeholder: "Search", ariaLabel: "Search users" });
  const list = element("ul");
  const problem = element("p", { className: "bad", role: "alert" });
  /** @param {Promise<unknown>} work */
  const report = (work) => {
    problem.textContent = "";
    return work.catch((error) => problem.replaceChildren(error.message));
  };
  /** @param {Promise<unknown>} work */
  const signIn = (work) => void report(work.then(onDone));
  const show = async () => {
    const query = search.value;
    const users = await session.users(query);
    if (query !== search.value) return;
    list.replaceChildren(...users.map((user) => row(user, () => signIn(session.signIn(user.id)))));
  };
  search.addEventListener("input", () => void report(show()));
  void report(show());
  return element(
    "section",
    { className: "panel" },
    element("h2", { textContent: "Sign in" }),
    element("p", { className: "soft", textContent: "Emulated: choose a user. No password is needed." }),
    problem,
    search,
    list,
    element("h2", { textContent: "Sign up" }),
    signUpForm((fields) => signIn(session.signUp(fields))),
  );
}

/** @param {import("./user.js").Account} user @param {() => void} choose */
function row(user, choose) {
  const name = [user.firstName, user.lastName].filter(Boolean).join(" ") || user.id;
  const textContent = `${name} (${user.publicMetadata.role ?? "student"})`;
  const button = element("button", { type: "button", className: "item", textContent });
  button.addEventListener("click", choose);
  return element("li", {}, button);
}

/** @param {(fields: { firstName: string, lastName?: string, email?: string }) => void} signUp */
function signUpForm(signUp) {
  const firstName = element("input", { required: true, autocomplete: "given-name" });
  const lastName = element("input", { autocomplete: "family-name" });
  const email = element("input", { type: "email", autocomplete: "email" });
  const form = element(
    "form",
    {},
    element("label", {}, "First name", firstName),
    element("label", {}, "Last name", lastName),
    element("label", { className: "wide" }, "E-mail", email),
    element("button", { className: "wide", textContent: "Sign up" }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    signUp({
      firstName: firstName.value,
      ...(lastName.value && { lastName: lastName.value }),
      ...(email.value && { email: email.value }),
    });
  });
  return form;
}
