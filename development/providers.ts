import { join } from "node:path";
import { startDevelopmentDatabase } from "@lyceum/embedded-mongo/development";
import { developmentPorts, type Emulators, startEmulators } from "@lyceum/provider-emulators";
import { CommandError } from "../src/lib/errors.js";
import { answerPrompt } from "./ai-answers.js";

/** The database and the providers of a development server. */
export interface DevelopmentProviders extends Omit<Emulators, "table"> {
  readonly database: DatabaseRow;
  /** The database, then the providers. */
  readonly table: readonly DatabaseRow[];
}

type DatabaseRow = Emulators["table"][number];

/**
 * Starts the embedded database and the emulators, with their data in `dataDir`. A database or provider whose variables
 * are set is used instead.
 * @param options `freePorts` takes any free ports in place of the documented ones.
 */
export async function startProviders(
  env: NodeJS.ProcessEnv,
  dataDir: string,
  { freePorts = false } = {},
): Promise<DevelopmentProviders> {
  // The database locks its folder, so that a second server of the folder ends here.
  const database = await startDatabase(env, dataDir);
  const on = (name: keyof typeof developmentPorts): { port: number } => ({
    port: freePorts ? 0 : developmentPorts[name],
  });
  try {
    const emulators = await startEmulators({
      clerk: on("clerk"),
      razorpay: on("razorpay"),
      cloudinary: on("cloudinary"),
      openai: { ...on("openai"), answer: answerPrompt },
      smtp: on("smtp"),
      console: !freePorts && on("console"),
      dataDir,
      env,
      ...(env.FRONTEND_URL?.trim() ? { frontendUrl: env.FRONTEND_URL.trim() } : {}),
    });
    return {
      ...emulators,
      env: { ...emulators.env, ...database.env },
      database: database.row,
      table: [database.row, ...emulators.table],
      async close() {
        await emulators.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** @throws CommandError when the database does not start, for example because its folder is in use. */
async function startDatabase(
  env: NodeJS.ProcessEnv,
  dataDir: string,
): Promise<{ row: DatabaseRow; env: Record<string, string>; close(): Promise<void> }> {
  const real = env.MONGODB_URI?.trim();
  if (real) {
    const row: DatabaseRow = { provider: "database", kind: "real", address: withoutCredentials(real) };
    return { row, env: {}, close: async () => undefined };
  }
  const options = { dataDir: join(dataDir, "database"), port: 0 };
  const { uri, kind, close } = await startDevelopmentDatabase(env, options).catch((error: Error) => {
    throw new CommandError(`${error.message} DATA_DIR=<folder> names another one.`, { cause: error });
  });
  const row: DatabaseRow = { provider: "database", kind: "emulator", address: `${withoutCredentials(uri)} (${kind})` };
  return { row, env: { MONGODB_URI: uri }, close };
}

function withoutCredentials(uri: string): string {
  return uri.replace(/^([^/]*\/\/).*@/, "$1").replace(/\?.*/, "");
}
