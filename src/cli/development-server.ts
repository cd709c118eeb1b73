import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { dataFolder, isProduction } from "../config.js";
import { within } from "../lib/within.js";

const Development = z.object({
  url: z.string(),
  /** The browser origin that the server allows. */
  frontendOrigin: z.string(),
  /** Address of the development console. */
  console: z.string().optional(),
  emulators: z.array(z.object({ provider: z.string(), address: z.string() })),
  /** The environment variables that point to the emulators. */
  variables: z.record(z.string(), z.string()),
});
/** The description that a development server leaves in its data folder for other commands. */
export type Development = z.output<typeof Development>;

export const descriptionFile = (folder: string): string => join(folder, "running.json");

/** Time limit of the health check. A slower server counts as stopped, because another program can have its port. */
const healthTimeoutMs = 2_000;

/** Finds the development server of the data folder. @returns undefined when none answers. */
export async function findDevelopmentServer(env: NodeJS.ProcessEnv): Promise<Development | undefined> {
  const text = await readFile(descriptionFile(dataFolder(env)), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const server = Development.parse(JSON.parse(text));
  const health = within({ ms: healthTimeoutMs }, (signal) => fetch(`${server.url}/healthz`, { signal }));
  const answers = await health.then(
    (reply) => reply.ok,
    () => false,
  );
  return answers ? server : undefined;
}

/**
 * Points a command to the emulators of the running development server by setting their variables. It sets none when
 * the environment has one of them, because the command then targets other providers. It does nothing in production.
 */
export async function joinDevelopmentServer(env: NodeJS.ProcessEnv): Promise<void> {
  if (isProduction(env)) return;
  const variables = (await findDevelopmentServer(env))?.variables ?? {};
  if (!Object.keys(variables).some((name) => env[name])) Object.assign(env, variables);
}
