import { join, resolve } from "node:path";
import type { AiSandbox } from "./ai.js";
import {
  type Choice,
  chooseAi,
  chooseDatabase,
  chooseIdentity,
  choosePayments,
  chooseStorage,
  type Surroundings,
} from "./collaborators.js";
import { startConsole } from "./console/console.js";
import type { IdentitySandbox } from "./identity/identity-sandbox.js";
import { removeLeftovers } from "./json-file.js";
import { LocalPorts } from "./local-server.js";
import type { PaymentsSandbox } from "./payments/payments-sandbox.js";
import { loadSecrets } from "./secrets.js";
import type { StorageSandbox } from "./storage.js";
import { Variables } from "./variables.js";

/** Local servers that stand in for collaborators, and the variables that point the application at them. */
export interface Sandbox {
  /** Variables that point the application at what was started; only those that were unset. */
  readonly variables: Record<string, string>;
  /** One row per collaborator for the start-up table. */
  readonly table: { collaborator: string; kind: "real" | "stand-in"; address: string }[];
  readonly identity?: IdentitySandbox;
  readonly payments?: PaymentsSandbox;
  readonly storage?: StorageSandbox;
  readonly ai?: AiSandbox;
  /** A page for people that shows what the sandbox holds; only when a port for it was wanted. */
  readonly console?: { readonly url: string };
  /** Tells the stand-ins where the application listens; webhooks that waited for it are sent now. */
  pointAt(applicationUrl: string): void;
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** `DATA_DIR`: state under `sandbox/`, stored files under `media/`. */
  dataDir: string;
  /** Where webhooks go; without it they wait for `pointAt`. */
  applicationUrl?: string;
  /** Wanted ports; 0 or unset: the port of the last run in this folder, else any. A taken port is given up. */
  ports?: Partial<Record<"identity" | "payments" | "storage" | "ai" | "console" | "database", number>>;
  /** false leaves the database alone: no stand-in, no row. */
  database?: boolean;
  /** Multiplies the pauses between webhook attempts, which are minutes and hours; 1 unless told. */
  retryScale?: number;
}

/** Ports of the stand-ins in development. */
export const developmentPorts = { console: 3100, identity: 3101, payments: 3102, storage: 3103, ai: 3104 } as const;

interface Running {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts a stand-in server for each collaborator whose variables are unset. A variable that is set is always honoured:
 * its stand-in uses the secrets that are given, and where an address is given nothing is started.
 * @throws with `NODE_ENV=production`.
 */
export async function startSandbox(env: NodeJS.ProcessEnv, options: SandboxOptions): Promise<Sandbox> {
  if (env.NODE_ENV === "production") throw new Error("The sandbox does not run in production");
  const dataDir = resolve(options.dataDir);
  const folder = join(dataDir, "sandbox");
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
  };

  const table: Sandbox["table"] = [];
  const running: Running[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(running.splice(0).map((server) => server.close()));
    await ports.close();
  };
  const enter = async <StandIn extends Running>(
    collaborator: string,
    choose: (given: Surroundings) => Promise<Choice<StandIn>>,
  ): Promise<StandIn | undefined> => {
    const choice = await choose(surroundings);
    if ("real" in choice) {
      table.push({ collaborator, kind: "real", address: choice.real });
      return undefined;
    }
    table.push({ collaborator, kind: "stand-in", address: choice.standIn.url });
    running.push(choice.standIn);
    return choice.standIn;
  };

  try {
    if (options.database !== false) await enter("database", chooseDatabase);
    const identity = await enter("identity", chooseIdentity);
    const payments = await enter("payments", choosePayments);
    const storage = await enter("storage", chooseStorage);
    const ai = await enter("ai", chooseAi);
    const pointAt = (applicationUrl: string): void => {
      identity?.pointAt(applicationUrl);
      payments?.pointAt(applicationUrl);
    };
    const page =
      options.ports?.console === undefined ? undefined : await ports.listen("console", options.ports.console);
    if (page) startConsole(page, { table, identity, payments, storage, ai });
    if (options.applicationUrl !== undefined) pointAt(options.applicationUrl);
    return {
      variables: variables.filled,
      table,
      ...(identity ? { identity } : {}),
      ...(payments ? { payments } : {}),
      ...(storage ? { storage } : {}),
      ...(ai ? { ai } : {}),
      ...(page ? { console: { url: page.url } } : {}),
      pointAt,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
