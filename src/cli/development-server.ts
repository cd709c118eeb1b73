import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { dataFolder } from "../config.js";
import { CommandError } from "../process.js";

const Development = z.object({
  url: z.string(),
  /** Each provider with its address. */
  emulators: z.array(z.object({ provider: z.string(), address: z.string() })),
  /** What points to the emulators. */
  variables: z.record(z.string(), z.string()),
});
/** The development server that runs on a data folder, as it describes itself to other commands. */
export type Development = z.output<typeof Development>;

const fileIn = (folder: string): string => join(folder, "running.json");

/** A server that takes longer to say that it is well counts as none: something else may have its port. */
const answerMs = 2_000;

/**
 * Tells other commands where the server is: they find the whole description or none.
 * @returns what takes that back when it ends.
 */
export async function announce(folder: string, server: Development): Promise<() => Promise<void>> {
  const file = fileIn(folder);
  await writeFile(`${file}.new`, JSON.stringify(server, null, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return () => rm(file, { force: true });
}

/** The development server that runs on the data folder; undefined when none answers. */
export async function findDevelopmentServer(env: NodeJS.ProcessEnv): Promise<Development | undefined> {
  const text = await readFile(fileIn(dataFolder(env)), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const server = Development.parse(JSON.parse(text));
  const answers = await fetch(`${server.url}/healthz`, { signal: AbortSignal.timeout(answerMs) }).then(
    (reply) => reply.ok,
    () => false,
  );
  return answers ? server : undefined;
}

/** @throws CommandError when none answers. */
export async function runningDevelopmentServer(env: NodeJS.ProcessEnv): Promise<Development> {
  const server = await findDevelopmentServer(env);
  if (server) return server;
  throw new CommandError(
    `No development server runs on the folder ${dataFolder(env)}: start one with npm run dev, or name the folder of another one with DATA_DIR=<folder>`,
  );
}

/**
 * Lets a command work on the development server that runs on the data folder, by the variables that point to its
 * emulators. All of them or none: where one is set, the command is meant for other providers and must not reach a
 * emulator by accident. Does nothing in production.
 */
export async function joinDevelopmentServer(env: NodeJS.ProcessEnv): Promise<void> {
  if (env.NODE_ENV === "production") return;
  const variables = (await findDevelopmentServer(env))?.variables ?? {};
  if (!Object.keys(variables).some((name) => env[name])) Object.assign(env, variables);
}
