import { element } from "./surface.js";

/**
 * @import { Clerk } from "./clerk-object.js"
 * @import { User } from "./user.js"
 * @typedef {{ label: string, href?: string, onClick?: () => void }} MenuItem
 */

/** Builds the panel of the profile. @param {User} user */
export function profilePanel(user) {
  return element(
    "section",
    { className: "panel" },
    element("h2", { textContent: user.fullName ?? user.id }),
    element("p", { className: "soft", textContent: user.primaryEmailAddress?.emailAddress ?? "No e-mail address" }),
    element("p", { textContent: `User id: ${user.id}` }),
    element("p", { textContent: `Public metadata: ${JSON.stringify(user.publicMetadata)}` }),
    element("p", { className: "soft", textContent: "Change users in the console of the emulators." }),
  );
}

/**
 * Builds the button with the user's picture, and its menu.
 * @param {Clerk} clerk
 * @param {User} user
 * @param {{ showName?: boolean, items?: MenuItem[] }} options
 * @returns {HTMLElement[]}
 */
export function userButton(clerk, user, { showName = false, items = [] }) {
  const name = user.fullName ?? user.id;
  const button = element("button", { type: "button", className: "avatar", ariaLabel: `Account of ${name}` });
  if (user.imageUrl) button.append(element("img", { src: user.imageUrl, alt: "" }));
  // The style sheet shows the initials, so that they are no part of the button's name.
  else button.dataset.initials = initials(name);
  const email = element("p", { className: "soft", textContent: user.primaryEmailAddress?.emailAddress ?? "" });
  const menu = element("div", { popover: "auto" }, element("p", {}, name), email);
  const own = [
    { label: "Manage account", onClick: clerk.openUserProfile },
    { label: "Switch user", onClick: clerk.openSignIn },
    { label: "Sign out", onClick: clerk.signOut },
  ];
  menu.append(...[...items, ...own].map((item) => menuItem(menu, item)));
  button.popoverTargetElement = menu;
  menu.addEventListener("toggle", () => {
    const { bottom, right } = button.getBoundingClientRect();
    const widest = document.documentElement.clientWidth - menu.offsetWidth - 8;
    menu.style.top = `${bottom + 8}px`;
    menu.style.left = `${Math.max(8, Math.min(right - menu.offsetWidth, widest))}px`;
  });
  return [...(showName ? [element("span", { textContent: name })] : []), button, menu];
}

/** @param {string} name */
const initials = (name) =>
  name
    .split(" ")
    .slice(0, 2)
    .map(([letter]) => letter)
    .join("");

/** @param {HTMLElement} menu @param {MenuItem} item */
function menuItem(menu, { label, href, onClick }) {
  if (href) return element("a", { className: "item", href, textContent: label });
  const item = element("button", { type: "button", className: "item", textContent: label });
  item.addEventListener("click", () => {
    menu.hidePopover();
    onClick?.();
  });
  return item;
}
