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

/** The running emulators, with the variables that point the application to them. */
export interface Emulators {
  /** Variables that point the application to the emulators. Variables that were set by hand are left out. */
  readonly variables: Record<string, string>;
  /** One row per provider for the start-up table. */
  readonly table: { provider: string; kind: "real" | "emulator"; address: string }[];
  readonly identity?: IdentityEmulator;
  readonly payments?: PaymentsEmulator;
  readonly storage?: StorageEmulator;
  readonly ai?: AiEmulator;
  /** The console, a page that shows and changes the emulators' data. It needs a port of its own. */
  readonly console?: Console;
  /** Sets the address of the application and sends the webhooks that waited for it. */
  pointAt(applicationUrl: string): void;
  close(): Promise<void>;
}

export type ProviderName = "identity" | "payments" | "storage" | "ai";

export interface EmulatorOptions {
  /** `DATA_DIR` holds state under `emulators/` and stored files under `media/`. */
  dataDir: string;
  /** Address of the application for webhooks. Without it they wait for `pointAt`. */
  applicationUrl?: string;
  /**
   * Preferred ports. For 0 or none the emulator uses the port of the last run in this folder, or any. It avoids a taken
   * port.
   */
  ports?: Partial<Record<ProviderName | "console" | "database", number>>;
  /** The emulators to start; all by default. */
  providers?: readonly ProviderName[];
  /** Starts a database when `MONGODB_URI` is unset. Without this function the table has no database. */
  database?: StartDatabase;
  /** Webhook routes of the application, by default `/clerk` and `/razorpay`. */
  webhookPaths?: { identity?: string; payments?: string };
  /** Multiplies the pauses between webhook attempts, which are minutes and hours. The default is 1. */
  retryScale?: number;
}

/** Ports of the emulators in development. */
export const developmentPorts = { console: 3100, identity: 3101, payments: 3102, storage: 3103, ai: 3104 } as const;

interface Running {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts an emulator for each provider whose variables are unset. An emulator uses the secrets that are set. A provider
 * with an address gets no emulator.
 * @throws Error with `NODE_ENV=production`.
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
