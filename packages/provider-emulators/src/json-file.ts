import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ZodType } from "zod";
import { randomId } from "./random-id.js";

/**
 * A small piece of state kept as one JSON file. `state` is changed in place, then `save()` makes it durable: the file
 * is replaced by a rename, so a killed process leaves either the old or the new state and never half of one.
 */
export class JsonFile<State> {
  readonly state: State;
  readonly #path: string;
  readonly #temporary: string;
  #running: Promise<void> = Promise.resolve();
  #queued: Promise<void> | undefined;

  private constructor(path: string, state: State) {
    this.#path = path;
    this.#temporary = `${path}.${randomId("", 8)}.tmp`;
    this.state = state;
  }

  /**
   * Reads the file, or starts from `empty` when there is none.
   * @throws when the file exists but does not hold what `schema` describes; the message names the file.
   */
  static async open<State>(path: string, schema: ZodType<State>, empty: State): Promise<JsonFile<State>> {
    await mkdir(dirname(path), { recursive: true });
    return new JsonFile(path, (await readJson(path, schema)) ?? empty);
  }

  /** Resolves when the state as it is now is on disk. Calls made while a write runs share the next one. */
  save(): Promise<void> {
    if (this.#queued === undefined) {
      this.#queued = this.#running.then(() => {
        this.#queued = undefined;
        return this.#write();
      });
      this.#running = this.#queued.catch(() => undefined);
    }
    return this.#queued;
  }

  async #write(): Promise<void> {
    await writeFile(this.#temporary, JSON.stringify(this.state), { mode: 0o600 });
    await rename(this.#temporary, this.#path);
  }
}

/**
 * What a JSON file holds, or undefined when there is no such file.
 * @throws when it does not hold what `schema` describes; the message names the file.
 */
export async function readJson<State>(path: string, schema: ZodType<State>): Promise<State | undefined> {
  const text = await readIfPresent(path);
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${path} is not readable as emulator state; remove it to start afresh`, { cause });
  }
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Removes unfinished writes that killed processes left in a folder more than a minute ago. */
export async function removeLeftovers(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".tmp")) continue;
    const path = join(folder, name);
    const age = Date.now() - (await stat(path).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
    if (age > 60_000) await rm(path, { force: true });
  }
}
