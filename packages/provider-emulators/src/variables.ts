/** The application's environment: what was set by hand, and what the emulators fill in. Blank counts as unset. */
export class Variables {
  readonly filled: Record<string, string> = {};
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  /** The value set by hand. */
  get(name: string): string | undefined {
    const value = this.#env[name]?.trim();
    return value === "" ? undefined : value;
  }

  haveAll(...names: string[]): boolean {
    return names.every((name) => this.get(name) !== undefined);
  }

  /** The value set by hand; when there is none, the application gets this one. */
  fill(name: string, value: string): string {
    const set = this.get(name);
    if (set === undefined) this.filled[name] = value;
    return set ?? value;
  }

  /** As `fill`, for secrets that may be a comma-separated list during rotation: the first one signs. */
  fillSecret(name: string, value: string): string {
    return this.fill(name, value).split(",")[0]?.trim() || value;
  }
}
