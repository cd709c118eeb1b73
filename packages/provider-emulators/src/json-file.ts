import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ZodType } from "zod";
import { randomId } from "./random-id.js";

/**
 * Keeps a small state in one JSON file, or in memory alone without a path. The caller changes `state` in place and calls
 * `save()`. A rename replaces the file, so that a crash leaves the old or the new state.
 */
export class JsonFile<State> {
  readonly state: State;
  readonly #path: string | undefined;
  readonly #temporary: string;
  #running: Promise<void> = Promise.resolve();
  #queued: Promise<void> | undefined;

  private constructor(path: string | undefined, state: State) {
    this.#path = path;
    this.#temporary = `${path}.${randomId("", 8)}.tmp`;
    this.state = state;
  }

  /**
   * Reads the file, or starts from `empty` when it is missing.
   * @throws Error that names the file when its content does not fit `schema`.
   */
  static async open<State>(path: string | undefined, schema: ZodType<State>, empty: State): Promise<JsonFile<State>> {
    if (path === undefined) return new JsonFile<State>(undefined, empty);
    await mkdir(dirname(path), { recursive: true });
    return new JsonFile(path, (await readJson(path, schema)) ?? empty);
  }

  /** Resolves when the current state is on disk. Calls during a write share the next write. */
  save(): Promise<void> {
    const path = this.#path;
    if (path === undefined) return Promise.resolve();
    if (this.#queued === undefined) {
      this.#queued = this.#running.then(() => {
        this.#queued = undefined;
        return this.#write(path);
      });
      this.#running = this.#queued.catch(() => undefined);
    }
    return this.#queued;
  }

  async #write(path: string): Promise<void> {
    await writeFile(this.#temporary, JSON.stringify(this.state), { mode: 0o600 });
    await rename(this.#temporary, path);
  }
}

/**
 * Reads a JSON file. It returns undefined when the file is missing.
 * @throws Error that names the file when its content does not fit `schema`.
 */
export async function readJson<State>(path: string, schema: ZodType<State>): Promise<State | undefined> {
  const text = await readIfPresent(path);
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${path} is not readable as emulator state: remove it to start with an empty state`, { cause });
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

/** Returns the path of a state file, or undefined for a state in memory. */
export function pathIn(folder: string | undefined, name: string): string | undefined {
  return folder === undefined ? undefined : join(folder, name);
}

/** Removes unfinished writes of crashed processes that are older than a minute. */
export async function removeLeftovers(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".tmp")) continue;
    const path = join(folder, name);
    const age = Date.now() - (await stat(path).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
    if (age > 60_000) await rm(path, { force: true });
  }
}
