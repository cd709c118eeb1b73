import { spawn } from "node:child_process";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { inject } from "vitest";
import { bundle } from "./bundle.js";

/**
 * A program of TypeScript as JavaScript, compiled once in a run.
 * @param version the folder of the sources, where they are another version's; a name of its own.
 * @returns its path, for `node`.
 */
export async function compiled(program: string, version = "."): Promise<string> {
  const folder = version === "." ? "compiled" : `compiled-${basename(version)}`;
  return bundle(program, join(inject("runFolder"), folder), version);
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the product (`src/cli/token.ts`) to its end. @param variables beside those of this process. */
export async function runCommand(
  program: string,
  options: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Finished> {
  const child = spawn(process.execPath, [await compiled(program), ...options], {
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { code, stdout, stderr };
}
