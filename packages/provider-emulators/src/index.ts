import { join, resolve } from "node:path";
import { startConsole } from "./console/console.js";
import { removeLeftovers } from "./json-file.js";
import { LocalPorts } from "./local-server.js";
import type { EmulatorOptions, Emulators, PortOptions, ProviderName, ProviderRow, StartedBy } from "./options.js";
import {
  type Choice,
  type Context,
  chooseClerk,
  chooseCloudinary,
  chooseOpenAi,
  chooseRazorpay,
  chooseSmtp,
} from "./providers.js";
import { loadSecrets } from "./secrets.js";
import { Variables } from "./variables.js";

export type { OpenAiEmulator } from "./ai/openai-emulator.js";
export type { AnswerPrompt, Prompt, PromptMessage } from "./ai/prompt.js";
export type { Application, Console, DatabaseTools, Persona } from "./console/application.js";
export { defaultRetryPausesMs } from "./deliveries/retry-pauses.js";
export type { ClerkEmulator } from "./identity/clerk-emulator.js";
export type { ReceivedMail } from "./mail/mailbox.js";
export type { SmtpEmulator } from "./mail/smtp-emulator.js";
export type {
  EmulatorOptions,
  Emulators,
  OpenAiOptions,
  PortOptions,
  ProviderRow,
  SmtpOptions,
  WebhookOptions,
} from "./options.js";
export type { RazorpayEmulator } from "./payments/razorpay-emulator.js";
export type { CloudinaryEmulator } from "./storage/cloudinary-emulator.js";

/** The ports of the command line. */
export const developmentPorts = {
  ...{ console: 3100, clerk: 3101, razorpay: 3102, cloudinary: 3103, openai: 3104, smtp: 3105 },
} as const;

const providerNames = ["clerk", "razorpay", "cloudinary", "openai", "smtp"] as const satisfies ProviderName[];

interface Running {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts the emulators that the options name, or all five. State is in memory and ports are free ones unless the options
 * say otherwise.
 * @throws Error with `NODE_ENV=production`.
 */
export async function startEmulators<const Options extends EmulatorOptions = Record<never, never>>(
  options?: Options,
): Promise<StartedBy<Options>> {
  return (await start(options ?? {})) as StartedBy<Options>;
}

async function start(options: EmulatorOptions): Promise<Emulators> {
  const variables = new Variables(options.env ?? {});
  const isProduction = (value = ""): boolean => value.trim().toLowerCase() === "production";
  if (isProduction(process.env.NODE_ENV) || isProduction(variables.get("NODE_ENV"))) {
    throw new Error("The emulators do not run in production");
  }
  const dataDir = options.dataDir === undefined ? undefined : resolve(options.dataDir);
  const folder = dataDir && join(dataDir, "emulators");
  if (folder) await removeLeftovers(folder);
  const ports = await LocalPorts.open(folder);
  const context: Context = {
    variables,
    secrets: await loadSecrets(folder),
    ports,
    folder,
    mediaFolder: dataDir && join(dataDir, "media"),
    frontend: new URL(options.frontendUrl ?? "http://localhost:5173").origin,
  };

  const table: ProviderRow[] = [];
  const running: Running[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(running.splice(0).map((server) => server.close()));
    await ports.close();
  };
  const startsAll = providerNames.every((name) => !options[name]);
  const startProvider = async <Options extends object, Emulator extends Running>(
    name: ProviderName,
    wanted: boolean | Options | undefined,
    choose: (context: Context, options: Partial<Options>) => Promise<Choice<Emulator>>,
  ): Promise<Emulator | undefined> => {
    if (wanted === false || (wanted === undefined && !startsAll)) return undefined;
    const choice = await choose(context, settings(wanted));
    if ("real" in choice) {
      table.push({ provider: name, kind: "real", address: choice.real });
      return undefined;
    }
    table.push({ provider: name, kind: "emulator", address: choice.emulator.url });
    running.push(choice.emulator);
    return choice.emulator;
  };

  try {
    const clerk = await startProvider("clerk", options.clerk, chooseClerk);
    const razorpay = await startProvider("razorpay", options.razorpay, chooseRazorpay);
    const cloudinary = await startProvider("cloudinary", options.cloudinary, chooseCloudinary);
    const openai = await startProvider("openai", options.openai, chooseOpenAi);
    const smtp = await startProvider("smtp", options.smtp, chooseSmtp);
    const pointAt = (applicationUrl: string): void => {
      clerk?.pointAt(applicationUrl);
      razorpay?.pointAt(applicationUrl);
    };
    const page = options.console
      ? await ports.listen("console", settings<PortOptions>(options.console).port)
      : undefined;
    const console = page && startConsole(page, { table, clerk, razorpay, cloudinary, openai, smtp });
    if (page) clerk?.showConsole(page.url);
    if (options.applicationUrl !== undefined) pointAt(options.applicationUrl);
    return {
      env: variables.filled,
      table,
      ...(clerk ? { clerk } : {}),
      ...(razorpay ? { razorpay } : {}),
      ...(cloudinary ? { cloudinary } : {}),
      ...(openai ? { openai } : {}),
      ...(smtp ? { smtp } : {}),
      ...(console ? { console } : {}),
      pointAt,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function settings<Options extends object>(wanted: boolean | Options | undefined): Partial<Options> {
  return typeof wanted === "object" ? wanted : {};
}
