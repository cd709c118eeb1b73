import { rename, rm, writeFile } from "node:fs/promises";
import { type Development, descriptionFile, findDevelopmentServer } from "../src/cli/development-server.js";
import { dataFolder } from "../src/config.js";
import { CommandError } from "../src/process.js";

/**
 * Writes the description of the server. The rename keeps other commands from reading half a file.
 * @returns a function that removes the description.
 */
export async function announceServer(folder: string, server: Development): Promise<() => Promise<void>> {
  const file = descriptionFile(folder);
  await writeFile(`${file}.new`, JSON.stringify(server, null, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return () => rm(file, { force: true });
}

/** @throws CommandError when no development server answers. */
export async function requireDevelopmentServer(env: NodeJS.ProcessEnv): Promise<Development> {
  const server = await findDevelopmentServer(env);
  if (server) return server;
  throw new CommandError(
    `No development server runs on the folder ${dataFolder(env)}: start one with npm run dev, or set DATA_DIR=<folder>`,
  );
}
