import type { OpenAiEmulator } from "./ai/openai-emulator.js";
import type { AnswerPrompt } from "./ai/prompt.js";
import type { Console } from "./console/application.js";
import type { ClerkEmulator } from "./identity/clerk-emulator.js";
import type { SmtpEmulator } from "./mail/smtp-emulator.js";
import type { RazorpayEmulator } from "./payments/razorpay-emulator.js";
import type { CloudinaryEmulator } from "./storage/cloudinary-emulator.js";

export interface PortOptions {
  /** Preferred port. For 0 or none the emulator uses any free port, or that of the last run in `dataDir`. */
  port?: number;
}

export interface WebhookOptions extends PortOptions {
  /** Path of the application's webhook route. The default is the provider's name, such as `/clerk`. */
  webhookPath?: string;
  /** Pauses between the attempts of a webhook, in milliseconds. The default is `defaultRetryPausesMs`. */
  retryPausesMs?: readonly number[];
}

export interface OpenAiOptions extends PortOptions {
  /** Writes the answers. Where it returns undefined, the emulator writes a generic answer. */
  answer?: AnswerPrompt;
}

export interface SmtpOptions extends PortOptions {
  /** Port of the SMTP server. For 0 or none it is any free port. */
  smtpPort?: number;
}

/** The providers to emulate. Without any, all five are started. */
export interface ProviderOptions {
  clerk?: boolean | WebhookOptions;
  razorpay?: boolean | WebhookOptions;
  cloudinary?: boolean | PortOptions;
  openai?: boolean | OpenAiOptions;
  smtp?: boolean | SmtpOptions;
}
export type ProviderName = keyof ProviderOptions;

export interface EmulatorOptions extends ProviderOptions {
  /** Starts the console, a page that shows and changes the emulators' data. */
  console?: boolean | PortOptions;
  /** Address of the application for webhooks. Without it they wait for `pointAt`. */
  applicationUrl?: string;
  /** Address of the browser application, by default `http://localhost:5173`. Its pages may use the emulators. */
  frontendUrl?: string;
  /** Folder that keeps state under `emulators/` and files under `media/`. Without it the state is in memory. */
  dataDir?: string;
  /**
   * Variables that are set already. The emulators use the secrets among them. A provider whose address is set, or all
   * of whose variables are set, is not emulated.
   */
  env?: Readonly<Record<string, string | undefined>>;
}

/** The running emulators, with the variables that point an application to them. */
export interface Emulators {
  /** Environment variables for the application and the SDKs. Variables that `options.env` sets are left out. */
  readonly env: Record<string, string>;
  /** One row for each provider. */
  readonly table: readonly ProviderRow[];
  readonly clerk?: ClerkEmulator;
  readonly razorpay?: RazorpayEmulator;
  readonly cloudinary?: CloudinaryEmulator;
  readonly openai?: OpenAiEmulator;
  readonly smtp?: SmtpEmulator;
  readonly console?: Console;
  /** Sets the address of the application and sends the webhooks that waited for it. */
  pointAt(applicationUrl: string): void;
  close(): Promise<void>;
}

export interface ProviderRow {
  provider: string;
  kind: "real" | "emulator";
  address: string;
}

type Part = ProviderName | "console";
type NamedBy<Options> = {
  [Name in Part & keyof Options]: Options[Name] extends true | object ? Name : never;
}[Part & keyof Options];

/** The emulators that these options start for certain. With `env` a provider can be real. */
export type StartedBy<Options extends EmulatorOptions> = Options extends { env: object }
  ? Emulators
  : Emulators &
      Required<
        Pick<
          Emulators,
          [Extract<keyof Options, ProviderName>] extends [never] ? NamedBy<Options> | ProviderName : NamedBy<Options>
        >
      >;
