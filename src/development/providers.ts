import { join } from "node:path";
import { startDevelopmentDatabase } from "@lyceum/embedded-mongo/development";
import { developmentPorts, type Emulators, startEmulators } from "@lyceum/provider-emulators";
import { answerPrompt } from "./ai/ai-answers.js";

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
  const on = (name: keyof typeof developmentPorts): { port: number } => ({
    port: freePorts ? 0 : developmentPorts[name],
  });
  const emulators = await startEmulators({
    clerk: on("clerk"),
    razorpay: on("razorpay"),
    cloudinary: on("cloudinary"),
    openai: { ...on("openai"), answer: answerPrompt },
    console: !freePorts && on("console"),
    dataDir,
    env,
    ...(env.FRONTEND_URL?.trim() ? { frontendUrl: env.FRONTEND_URL.trim() } : {}),
  });
  const uri = env.MONGODB_URI?.trim();
  if (uri) {
    const database: DatabaseRow = { provider: "database", kind: "real", address: withoutCredentials(uri) };
    return { ...emulators, database, table: [database, ...emulators.table] };
  }
  try {
    const started = await startDevelopmentDatabase(env, { dataDir: join(dataDir, "database"), port: 0 });
    const address = `${withoutCredentials(started.uri)} (${started.kind})`;
    const database: DatabaseRow = { provider: "database", kind: "emulator", address };
    return {
      ...emulators,
      env: { ...emulators.env, MONGODB_URI: started.uri },
      database,
      table: [database, ...emulators.table],
      async close() {
        await emulators.close();
        await started.close();
      },
    };
  } catch (error) {
    await emulators.close();
    throw error;
  }
}

function withoutCredentials(uri: string): string {
  return uri.replace(/^([^/]*\/\/).*@/, "$1").replace(/\?.*/, "");
}
