import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { inject } from "vitest";
import { bundle } from "./bundle.js";

/** Bundles a TypeScript program once in a run. @returns the path of its JavaScript file. */
export const compiled = (program: string): Promise<string> => bundle(program, join(inject("runFolder"), "compiled"));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command (`src/cli/migrate.ts`) to its end. @param variables added to this process's environment.
 */
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
