/**
 * Keeps a session of the identity emulator in a browser application of another origin. The origin's storage holds the
 * signed-in user, so that all tabs agree. Tokens live for a minute and are replaced in time, as the provider's are.
 *
 * @typedef {{ id: string, firstName: string | null, lastName: string | null, email: string | null, imageUrl: string,
 *   publicMetadata: Record<string, unknown> }} Account
 * @typedef {{ isLoaded: boolean, account: Account | null }} SessionState
 */
export class Session {
  /** @type {SessionState} */
  state = { isLoaded: false, account: null };
  #address;
  /** @type {Set<() => void>} */
  #listeners = new Set();
  /** @type {{ text: string, until: number } | undefined} */
  #token;
  /** @type {Promise<void> | undefined} */
  #loading;

  /** @param {string} address of the identity emulator */
  constructor(address) {
    this.#address = address.replace(/\/$/, "");
    addEventListener("storage", ({ key }) => {
      if (key === storageKey) void this.#read();
    });
  }

  /** Loads the signed-in user. It can be called again. */
  load() {
    this.#loading ??= this.#read();
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
    await this.#read();
  }

  async signOut() {
    localStorage.removeItem(storageKey);
    await this.#read();
  }

  /**
   * Returns a token that stays valid for some time, or null when signed out.
   * @param {{ skipCache?: boolean }} [options]
   */
  async getToken({ skipCache = false } = {}) {
    await this.load();
    const { account } = this.state;
    if (!account) return null;
    if (!skipCache && this.#token && this.#token.until > Date.now()) return this.#token.text;
    const { token } = await this.#call("POST", "/dev/tokens", { userId: account.id, expiresInSeconds: tokenSeconds });
    this.#token = { text: token, until: Date.now() + (tokenSeconds - spareSeconds) * 1_000 };
    return /** @type {string} */ (token);
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

  async #read() {
    const userId = localStorage.getItem(storageKey);
    const found = userId === null ? null : await this.#call("GET", `/dev/users/${encodeURIComponent(userId)}`);
    this.#token = undefined;
    this.state = { isLoaded: true, account: found?.user ?? null };
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
