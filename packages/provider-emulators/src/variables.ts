/**
 * The environment of the application: variables set by hand and variables of the emulators. A blank value counts as
 * unset.
 */
export class Variables {
  readonly filled: Record<string, string> = {};
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** Returns the value set by hand. */
  get(name: string): string | undefined {
    const value = this.#env[name]?.trim();
    return value === "" ? undefined : value;
  }

  haveAll(...names: string[]): boolean {
    return names.every((name) => this.get(name) !== undefined);
  }

  /** Returns the value set by hand, or gives the application this value. */
  fill(name: string, value: string): string {
    const set = this.get(name);
    if (set === undefined) this.filled[name] = value;
    return set ?? value;
  }

  /** Works as `fill` for a secret that can be a comma-separated list during rotation. The first secret signs. */
  fillSecret(name: string, value: string): string {
    return this.fill(name, value).split(",")[0]?.trim() || value;
  }
}
