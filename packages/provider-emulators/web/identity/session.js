import { createUser } from "./user.js";

/**
 * Keeps a session of the identity emulator in a browser application of another origin. The origin's storage holds the
 * signed-in user, so that all tabs agree. Tokens live for a minute and are replaced in time, as the provider's are.
 *
 * @import { Account, User } from "./user.js"
 * @typedef {{ id: string, status: "active", user: User, getToken: Session["getToken"] }} SessionResource
 * @typedef {{ isLoaded: boolean, user: User | null, session: SessionResource | null }} SessionState
 */
export class Session {
  /**
   * The state and its objects stay identical until the user changes.
   * @type {SessionState}
   */
  state = { isLoaded: false, user: null, session: null };
  #address;
  /** The account of the state as JSON. */
  #account = "";
  #reads = 0;
  /** @type {Set<() => void>} */
  #listeners = new Set();
  /** The newest request for a token. @type {{ user: User, until: number, text: Promise<string> } | undefined} */
  #token;
  /** @type {Promise<void> | undefined} */
  #loading;

  /** @param {string} address of the identity emulator */
  constructor(address) {
    this.#address = address.replace(/\/$/, "");
    addEventListener("storage", ({ key }) => {
      if (key === storageKey) void this.reload();
    });
    // Another page may have changed the user, for example the role.
    addEventListener("focus", () => void this.reload().catch(() => {}));
  }

  /** Loads the signed-in user. It can be called again, also after a failure. */
  load() {
    this.#loading ??= this.reload().catch((error) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  /**
   * Calls the listener after every change of `state`.
   * @param {() => void} listener
   * @returns {() => void} unsubscribes
   */
  subscribe = (listener) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Signs in, or switches to another user. @param {string} userId */
  async signIn(userId) {
    localStorage.setItem(storageKey, userId);
    await this.reload();
  }

  async signOut() {
    localStorage.removeItem(storageKey);
    await this.reload();
  }

  /**
   * Returns a token that stays valid for some time, or null when signed out.
   * @param {{ skipCache?: boolean }} [options]
   */
  getToken = async ({ skipCache = false } = {}) => {
    await this.load();
    const { user } = this.state;
    if (!user) return null;
    let token = this.#token;
    if (skipCache || token?.user !== user || token.until <= Date.now()) {
      const until = Date.now() + (tokenSeconds - spareSeconds) * 1_000;
      const started = { user, until, text: this.#newToken(user) };
      started.text.catch(() => {
        if (this.#token === started) this.#token = undefined;
      });
      token = this.#token = started;
    }
    return token.text;
  };

  /** @param {User} user @returns {Promise<string>} */
  async #newToken({ id }) {
    const { token } = await this.#call("POST", "/dev/tokens", { userId: id, expiresInSeconds: tokenSeconds });
    return token;
  }

  /** Lists users who can sign in. @param {string} [query] @returns {Promise<Account[]>} */
  async users(query = "") {
    return (await this.#call("GET", `/dev/users?${new URLSearchParams({ query, limit: "50" })}`)).users;
  }

  /** @param {{ firstName: string, lastName?: string, email?: string }} fields @returns {Promise<Account>} */
  async signUp(fields) {
    const { user } = await this.#call("POST", "/dev/users", fields);
    await this.signIn(user.id);
    return user;
  }

  /** Reads the signed-in user again. */
  async reload() {
    this.#reads += 1;
    const read = this.#reads;
    const userId = localStorage.getItem(storageKey);
    const found = userId === null ? null : await this.#call("GET", `/dev/users/${encodeURIComponent(userId)}`);
    const account = JSON.stringify(found?.user ?? null);
    if (read !== this.#reads || account === this.#account) return;
    this.#account = account;
    this.#token = undefined;
    const user = found ? createUser(found.user, () => this.reload()) : null;
    const session = user && {
      id: `sess_${user.id}`,
      status: /** @type {const} */ ("active"),
      user,
      getToken: this.getToken,
    };
    this.state = { isLoaded: true, user, session };
    for (const listener of this.#listeners) listener();
  }

  /** @param {string} method @param {string} path @param {object} [body] @returns {Promise<any>} null for 404 */
  async #call(method, path, body) {
    const sent = body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const reply = await fetch(this.#address + path, { method, ...sent }).catch(() => undefined);
    if (reply?.status === 404) return null;
    if (reply?.ok) return reply.json();
    throw new Error(
      `The identity emulator at ${this.#address} refuses ${location.origin}: start the server with FRONTEND_URL=${location.origin}`,
    );
  }
}

const storageKey = "provider-emulators:user";
const tokenSeconds = 60;
/** A token is replaced this long before it expires. */
const spareSeconds = 15;
