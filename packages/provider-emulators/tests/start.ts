import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type EmulatorOptions, type Emulators, startEmulators } from "../src/index.js";
import { loadSecrets } from "../src/secrets.js";

/** Creates a folder that is removed when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "provider-emulators-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Starts emulators that close when the test ends. Retries take milliseconds. Without a folder they share the secrets of
 * all tests.
 */
export async function startedEmulators(
  env: NodeJS.ProcessEnv = {},
  options: Partial<EmulatorOptions> = {},
): Promise<Emulators> {
  const dataDir = options.dataDir ?? (await temporaryFolder());
  if (!options.dataDir) await shareSecrets(dataDir);
  const emulators = await startEmulators(env, { retryScale: 0.000002, ...options, dataDir });
  onTestFinished(() => emulators.close());
  return emulators;
}

/** Creates one set of secrets for all tests of a process, because a key pair takes a quarter of a second. */
let sharedSecrets: Promise<string> | undefined;

async function shareSecrets(dataDir: string): Promise<void> {
  sharedSecrets ??= generatedSecrets();
  await mkdir(join(dataDir, "emulators"), { recursive: true });
  await writeFile(join(dataDir, "emulators", "secrets.json"), await sharedSecrets, { mode: 0o600 });
}

async function generatedSecrets(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "provider-emulators-"));
  const secrets = await loadSecrets(folder);
  await rm(folder, { recursive: true });
  return JSON.stringify(secrets);
}

/** Requires a started emulator. */
export function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error("This emulator was not started");
  return part;
}

export interface Received {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Starts a replacement of the application that records webhooks and answers the scripted statuses, then 200. */
export async function webhookReceiver(...statuses: number[]): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (req, res) => {
    let body = "";
    for await (const chunk of req.setEncoding("utf8")) body += chunk;
    received.push({ url: req.url ?? "", headers: req.headers, body });
    res.statusCode = statuses.shift() ?? 200;
    res.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("No address");
  return { url: `http://127.0.0.1:${address.port}`, received };
}
