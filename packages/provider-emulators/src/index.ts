import { join, resolve } from "node:path";
import type { AiEmulator } from "./ai.js";
import { type Console, startConsole } from "./console/console.js";
import type { IdentityEmulator } from "./identity/identity-emulator.js";
import { removeLeftovers } from "./json-file.js";
import { LocalPorts } from "./local-server.js";
import type { PaymentsEmulator } from "./payments/payments-emulator.js";
import {
  type Choice,
  chooseAi,
  chooseDatabase,
  chooseIdentity,
  choosePayments,
  chooseStorage,
  type StartDatabase,
  type Surroundings,
} from "./providers.js";
import { loadSecrets } from "./secrets.js";
import type { StorageEmulator } from "./storage.js";
import { Variables } from "./variables.js";

export type { Application, DatabaseTools, Persona } from "./console/application.js";
export type { PaymentsEmulator } from "./payments/payments-emulator.js";

/** Emulators of the providers, and the variables that point the application at them. */
export interface Emulators {
  /** Variables that point the application at what was started; only those that were unset. */
  readonly variables: Record<string, string>;
  /** One row per provider for the start-up table. */
  readonly table: { provider: string; kind: "real" | "emulator"; address: string }[];
  readonly identity?: IdentityEmulator;
  readonly payments?: PaymentsEmulator;
  readonly storage?: StorageEmulator;
  readonly ai?: AiEmulator;
  /** A page that shows and changes what the emulators hold; only when a port for it was wanted. */
  readonly console?: Console;
  /** Sets the address of the application; webhooks that waited for it are sent now. */
  pointAt(applicationUrl: string): void;
  close(): Promise<void>;
}

export type ProviderName = "identity" | "payments" | "storage" | "ai";

export interface EmulatorOptions {
  /** `DATA_DIR`: state under `emulators/`, stored files under `media/`. */
  dataDir: string;
  /** Where webhooks go; without it they wait for `pointAt`. */
  applicationUrl?: string;
  /** Wanted ports; 0 or unset: the port of the last run in this folder, else any. A taken port is given up. */
  ports?: Partial<Record<ProviderName | "console" | "database", number>>;
  /** Which emulators may be started; all unless given. */
  providers?: readonly ProviderName[];
  /** Starts a database beside the emulators when `MONGODB_URI` is unset. Without it there is no database in the table. */
  database?: StartDatabase;
  /** Paths of the application that receive webhooks: `/clerk` and `/razorpay` unless given. */
  webhookPaths?: { identity?: string; payments?: string };
  /** Multiplies the pauses between webhook attempts, which are minutes and hours; 1 by default. */
  retryScale?: number;
}

/** Ports of the emulators in development. */
export const developmentPorts = { console: 3100, identity: 3101, payments: 3102, storage: 3103, ai: 3104 } as const;

interface Running {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts an emulator server for each provider whose variables are unset. A variable that is set is always honoured:
 * its emulator uses the secrets that are given, and where an address is given nothing is started.
 * @throws with `NODE_ENV=production`.
 */
export async function startEmulators(env: NodeJS.ProcessEnv, options: EmulatorOptions): Promise<Emulators> {
  if (env.NODE_ENV === "production") throw new Error("The emulators do not run in production");
  const dataDir = resolve(options.dataDir);
  const folder = join(dataDir, "emulators");
  await removeLeftovers(folder);
  const variables = new Variables(env);
  const ports = await LocalPorts.open(folder);
  const surroundings: Surroundings = {
    env,
    variables,
    secrets: await loadSecrets(folder),
    ports,
    wanted: options.ports ?? {},
    dataDir,
    folder,
    frontend: new URL(variables.get("FRONTEND_URL") ?? "http://localhost:5173").origin,
    retryScale: options.retryScale ?? 1,
    webhookPaths: { identity: "/clerk", payments: "/razorpay", ...options.webhookPaths },
  };

  const table: Emulators["table"] = [];
  const running: Running[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(running.splice(0).map((server) => server.close()));
    await ports.close();
  };
  const addProvider = async <Emulator extends Running>(
    provider: string,
    choose: (given: Surroundings) => Promise<Choice<Emulator>>,
  ): Promise<Emulator | undefined> => {
    const choice = await choose(surroundings);
    if ("real" in choice) {
      table.push({ provider, kind: "real", address: choice.real });
      return undefined;
    }
    table.push({ provider, kind: "emulator", address: choice.emulator.url });
    running.push(choice.emulator);
    return choice.emulator;
  };

  const addIfWanted = async <Emulator extends Running>(
    name: ProviderName,
    choose: (given: Surroundings) => Promise<Choice<Emulator>>,
  ): Promise<Emulator | undefined> =>
    options.providers === undefined || options.providers.includes(name) ? addProvider(name, choose) : undefined;

  try {
    const { database } = options;
    if (database) await addProvider("database", (given) => chooseDatabase(given, database));
    const identity = await addIfWanted("identity", chooseIdentity);
    const payments = await addIfWanted("payments", choosePayments);
    const storage = await addIfWanted("storage", chooseStorage);
    const ai = await addIfWanted("ai", chooseAi);
    const pointAt = (applicationUrl: string): void => {
      identity?.pointAt(applicationUrl);
      payments?.pointAt(applicationUrl);
    };
    const page =
      options.ports?.console === undefined ? undefined : await ports.listen("console", options.ports.console);
    const shown = page && startConsole(page, { table, identity, payments, storage, ai });
    if (page) identity?.showConsole(page.url);
    if (options.applicationUrl !== undefined) pointAt(options.applicationUrl);
    return {
      variables: variables.filled,
      table,
      ...(identity ? { identity } : {}),
      ...(payments ? { payments } : {}),
      ...(storage ? { storage } : {}),
      ...(ai ? { ai } : {}),
      ...(shown ? { console: shown } : {}),
      pointAt,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
