import { Session } from "./session.js";
import { signInPanel } from "./sign-in.js";
import { fillShadow, openDialog } from "./surface.js";
import { profilePanel, userButton } from "./user-panels.js";

/**
 * @import { User } from "./user.js"
 * @typedef {{ forceRedirectUrl?: string | null, fallbackRedirectUrl?: string | null }} Redirects
 * @typedef {{ afterSignOutUrl?: string | null, signInUrl?: string, signUpUrl?: string,
 *   signInForceRedirectUrl?: string | null, signInFallbackRedirectUrl?: string | null,
 *   routerPush?: (to: string) => unknown }} ClerkOptions the part of the provider's options that has an effect here
 */

/** The part of the provider's `Clerk` object that applications use. Methods work without their object. */
export class Clerk {
  #session;
  /** @type {ClerkOptions} */
  #options = {};
  /** @type {HTMLDialogElement | undefined} */
  #dialog;

  /** @param {string} address of the identity emulator */
  constructor(address) {
    this.#session = new Session(address);
  }

  get loaded() {
    return this.#session.state.isLoaded;
  }
  get status() {
    return this.loaded ? "ready" : "loading";
  }
  get user() {
    return this.#session.state.user;
  }
  get session() {
    return this.#session.state.session;
  }
  get isSignedIn() {
    return this.user !== null;
  }
  /** All of the above, as one object that changes with them. */
  get state() {
    return this.#session.state;
  }

  /** @param {ClerkOptions} [options] */
  load = (options = {}) => {
    this.#options = options;
    return this.#session.load();
  };

  /**
   * Calls the listener now, when the user is loaded, and after each change.
   * @param {(resources: { user: User | null, session: Clerk["session"] }) => void} listener
   */
  addListener = (listener) => {
    const call = () => listener({ user: this.user, session: this.session });
    if (this.loaded) call();
    return this.#session.subscribe(call);
  };

  /** @param {{ skipCache?: boolean }} [options] */
  getToken = (options) => this.#session.getToken(options);

  /** Signs in as this user, or switches to them. @param {string} userId */
  signInAs = (userId) => this.#session.signIn(userId);

  /**
   * Signs out. Without a callback the page goes to `redirectUrl`, `afterSignOutUrl` or `/`.
   * @param {(() => unknown) | { redirectUrl?: string } | unknown} [callbackOrOptions]
   */
  signOut = async (callbackOrOptions) => {
    await this.#session.signOut();
    if (typeof callbackOrOptions === "function") await callbackOrOptions();
    else {
      const { redirectUrl } = /** @type {{ redirectUrl?: string }} */ (callbackOrOptions ?? {});
      this.navigate(redirectUrl ?? this.#options.afterSignOutUrl ?? "/");
    }
  };

  /** @param {string} to */
  navigate = (to) => {
    const target = new URL(to, location.href);
    const { routerPush } = this.#options;
    if (routerPush && target.origin === location.origin) routerPush(target.href.slice(target.origin.length));
    else location.assign(target);
  };

  /** @param {Redirects | unknown} [redirects] an event, too, because applications pass this as a listener */
  openSignIn = (redirects) => {
    const panel = signInPanel(this.#session, () => {
      this.closeSignIn();
      this.#afterSignIn(redirects);
    });
    this.#open("Sign in", panel);
  };
  openSignUp = this.openSignIn;
  openUserProfile = () => {
    if (this.user) this.#open("Profile", profilePanel(this.user));
  };
  closeSignIn = () => this.#dialog?.close();
  closeSignUp = this.closeSignIn;
  closeUserProfile = this.closeSignIn;

  /** Goes to the application's page for signing in. Without one the dialog opens. @param {Redirects} [redirects] */
  redirectToSignIn = (redirects) => this.#redirect(this.#options.signInUrl, redirects);
  /** @param {Redirects} [redirects] */
  redirectToSignUp = (redirects) => this.#redirect(this.#options.signUpUrl, redirects);

  /** @param {HTMLElement} node @param {Redirects} [redirects] */
  mountSignIn = (node, redirects) => {
    const back = new URLSearchParams(location.search).get("redirect_url");
    const here = back !== null && new URL(back, location.href).origin === location.origin ? back : undefined;
    const fallback = { fallbackRedirectUrl: here ?? "/", ...redirects };
    fillShadow(
      node,
      signInPanel(this.#session, () => this.#afterSignIn(fallback)),
    );
  };
  mountSignUp = this.mountSignIn;
  /** @param {HTMLElement} node */
  mountUserProfile = (node) => fillShadow(node, ...(this.user ? [profilePanel(this.user)] : []));
  /** @param {HTMLElement} node @param {Parameters<typeof userButton>[2]} [options] */
  mountUserButton = (node, options = {}) =>
    fillShadow(node, ...(this.user ? userButton(this, this.user, options) : []));

  /** @param {string} title @param {HTMLElement} panel */
  #open(title, panel) {
    this.#dialog?.close();
    this.#dialog = openDialog(title, panel);
  }

  /** @param {string | undefined} page @param {Redirects} [redirects] */
  #redirect(page, redirects) {
    if (!page) return this.openSignIn(redirects);
    const target = new URL(page, location.href);
    target.searchParams.set(
      "redirect_url",
      redirects?.forceRedirectUrl ?? redirects?.fallbackRedirectUrl ?? location.href,
    );
    this.navigate(target.href);
  }

  /** @param {Redirects | unknown} [redirects] */
  #afterSignIn(redirects) {
    const { forceRedirectUrl, fallbackRedirectUrl } = /** @type {Redirects} */ (redirects ?? {});
    const { signInForceRedirectUrl, signInFallbackRedirectUrl } = this.#options;
    const to = forceRedirectUrl ?? signInForceRedirectUrl ?? fallbackRedirectUrl ?? signInFallbackRedirectUrl;
    if (to) this.navigate(to);
  }
}
