import { parseArgs } from "node:util";
import { developmentPorts, type EmulatorOptions, type Emulators, startEmulators } from "./index.js";

const USAGE = `Usage: provider-emulators [--clerk] [--razorpay] [--cloudinary] [--openai] [--smtp] [options]

Starts emulators of the named providers, or of all five, and a console on 127.0.0.1. Prints the variables that point an
application at them, in the form of an environment file, and runs until it is stopped.

  --app <url>               address of the application; webhooks wait until it is known
  --clerk-path <path>       path that receives Clerk's webhooks (default: /clerk)
  --razorpay-path <path>    path that receives Razorpay's webhooks (default: /razorpay)
  --frontend <origin>       origin of the browser application (default: http://localhost:5173)
  --data <folder>           keeps keys, users, payments and files here (default: in memory until the end)
  --console-port <port>     (default: ${developmentPorts.console})
  --clerk-port <port>       (default: ${developmentPorts.clerk})
  --razorpay-port <port>    (default: ${developmentPorts.razorpay})
  --cloudinary-port <port>  (default: ${developmentPorts.cloudinary})
  --openai-port <port>      (default: ${developmentPorts.openai})
  --smtp-port <port>        mailbox; the SMTP server has any free port (default: ${developmentPorts.smtp})

Port 0 means any free port.
`;

const providers = ["clerk", "razorpay", "cloudinary", "openai", "smtp"] as const;
const parts = [...providers, "console"] as const;
type Part = (typeof parts)[number];

const options = {
  clerk: { type: "boolean" },
  razorpay: { type: "boolean" },
  cloudinary: { type: "boolean" },
  openai: { type: "boolean" },
  smtp: { type: "boolean" },
  app: { type: "string" },
  "clerk-path": { type: "string" },
  "razorpay-path": { type: "string" },
  frontend: { type: "string" },
  data: { type: "string" },
  "console-port": { type: "string" },
  "clerk-port": { type: "string" },
  "razorpay-port": { type: "string" },
  "cloudinary-port": { type: "string" },
  "openai-port": { type: "string" },
  "smtp-port": { type: "string" },
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
  const ports = new Map(parts.map((name) => [name, readPort(name, values[`${name}-port`])]));
  const port = (name: Part): { port: number } => ({ port: ports.get(name) ?? 0 });
  const webhooks = (webhookPath: string | undefined) => (webhookPath === undefined ? {} : { webhookPath });
  const named = providers.filter((name) => values[name]);
  const isWanted = (name: Part): boolean => named.length === 0 || named.some((wanted) => wanted === name);
  const wanted: EmulatorOptions = {
    clerk: isWanted("clerk") && { ...port("clerk"), ...webhooks(values["clerk-path"]) },
    razorpay: isWanted("razorpay") && { ...port("razorpay"), ...webhooks(values["razorpay-path"]) },
    cloudinary: isWanted("cloudinary") && port("cloudinary"),
    openai: isWanted("openai") && port("openai"),
    smtp: isWanted("smtp") && port("smtp"),
    console: port("console"),
    ...(values.app === undefined ? {} : { applicationUrl: values.app }),
    ...(values.frontend === undefined ? {} : { frontendUrl: values.frontend }),
    ...(values.data === undefined ? {} : { dataDir: values.data }),
  };
  const emulators: Emulators = await startEmulators(wanted);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => emulators.close().then(() => process.exit(0), fail));
  }
  process.stdout.write(`${description(emulators, ports)}\n`);
}

/** @throws Error for text that is no port. */
function readPort(name: Part, value: string | undefined): number {
  if (value === undefined) return developmentPorts[name];
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535)
    throw new Error(`--${name}-port must be a number up to 65535`);
  return Number(value);
}

/** Prints addresses as comments, then the variables. */
function description(emulators: Emulators, ports: ReadonlyMap<Part, number>): string {
  const addresses = parts.flatMap((name) => {
    const url = emulators[name]?.url;
    return url === undefined ? [] : [address(name, url, ports.get(name) ?? 0)];
  });
  return [...addresses, ...Object.entries(emulators.env).map(([name, value]) => `${name}=${quoteValue(value)}`)].join(
    "\n",
  );
}

function address(name: string, url: string, wanted: number): string {
  const note = wanted === 0 || new URL(url).port === String(wanted) ? "" : ` (port ${wanted} is taken)`;
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
