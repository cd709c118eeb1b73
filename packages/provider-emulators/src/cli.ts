import { parseArgs } from "node:util";
import { developmentPorts, type Emulators, type ProviderName, startEmulators } from "./index.js";

const USAGE = `Usage: provider-emulators [--clerk] [--razorpay] [--cloudinary] [--openai] [options]

Starts emulators of the named providers, or of all four, and a console on 127.0.0.1. Prints the variables that point an
application at them, in the form of an environment file, and runs until it is stopped. Keys in the environment are not
used: each data folder has its own, which stay the same.

  --app <url>             where the application listens; webhooks wait until it is known
  --clerk-path <path>     path that receives Clerk's webhooks (default: /clerk)
  --razorpay-path <path>  path that receives Razorpay's webhooks (default: /razorpay)
  --frontend <origin>     origin of the browser application (default: http://localhost:5173)
  --data <folder>         the folder with accounts, orders and files (environment: DATA_DIR; default: .data)
`;

const names = { clerk: "identity", razorpay: "payments", cloudinary: "storage", openai: "ai" } as const;

const options = {
  clerk: { type: "boolean" },
  razorpay: { type: "boolean" },
  cloudinary: { type: "boolean" },
  openai: { type: "boolean" },
  app: { type: "string" },
  "clerk-path": { type: "string" },
  "razorpay-path": { type: "string" },
  frontend: { type: "string" },
  data: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  for (const name of ["app", "frontend"] as const) {
    const address = values[name];
    if (address !== undefined && !/^https?:$/.test(protocolOf(address))) {
      throw new Error(`--${name} must be an address such as http://localhost:3000, not ${address}`);
    }
  }
  const all = Object.entries(names) as [keyof typeof names, ProviderName][];
  const named = all.filter(([name]) => values[name]);
  const chosen = named.length > 0 ? named : all;
  const identityPath = values["clerk-path"];
  const paymentsPath = values["razorpay-path"];
  const { NODE_ENV, DATA_DIR } = process.env;
  const emulators = await startEmulators(
    { NODE_ENV, FRONTEND_URL: values.frontend },
    {
      dataDir: values.data ?? DATA_DIR ?? ".data",
      ports: developmentPorts,
      providers: chosen.map(([, provider]) => provider),
      webhookPaths: {
        ...(identityPath === undefined ? {} : { identity: identityPath }),
        ...(paymentsPath === undefined ? {} : { payments: paymentsPath }),
      },
      ...(values.app === undefined ? {} : { applicationUrl: values.app }),
    },
  );
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => emulators.close().then(() => process.exit(0), fail));
  }
  process.stdout.write(`${description(chosen, emulators)}\n`);
}

/** Prints addresses as comments, then the variables. */
function description(chosen: readonly [string, ProviderName][], emulators: Emulators): string {
  const addresses = chosen.map(([name, provider]) =>
    address(name, emulators[provider]?.url, developmentPorts[provider]),
  );
  const variables = Object.entries(emulators.variables).map(([name, value]) => `${name}=${quoteValue(value)}`);
  return [...addresses, address("console", emulators.console?.url, developmentPorts.console), ...variables].join("\n");
}

function address(name: string, url = "", wanted: number): string {
  const note = new URL(url).port === String(wanted) ? "" : ` (port ${wanted} is taken)`;
  return `# ${name.padEnd(10)}  ${url}${note}`;
}

/**
 * Writes a value of several lines, such as a PEM key, in one line with \\n, which dotenv and `node --env-file` both
 * read.
 */
function quoteValue(value: string): string {
  return /\n/.test(value) ? JSON.stringify(value) : value;
}

function protocolOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : "";
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

main().catch(fail);
