import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../src/index.js";
import { loadSecrets } from "../src/secrets.js";

/** A folder that is removed when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lyceum-sandbox-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * A sandbox of its own, closed when the test ends. Retries come after milliseconds instead of minutes. Without a folder
 * of its own it has the secrets of all the others.
 */
export async function startedSandbox(
  env: NodeJS.ProcessEnv = {},
  options: Partial<SandboxOptions> = {},
): Promise<Sandbox> {
  const dataDir = options.dataDir ?? (await temporaryFolder());
  if (!options.dataDir) await shareSecrets(dataDir);
  const sandbox = await startSandbox(env, { retryScale: 0.000002, database: false, ...options, dataDir });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Making a key pair takes a quarter of a second: it is done once for all tests. */
async function shareSecrets(dataDir: string): Promise<void> {
  const shared = join(inject("runFolder"), "shared-secrets");
  await loadSecrets(shared);
  await mkdir(join(dataDir, "sandbox"), { recursive: true });
  await copyFile(join(shared, "secrets.json"), join(dataDir, "sandbox", "secrets.json"));
}

/** A stand-in that must have been started. */
export function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error("This stand-in was not started");
  return part;
}

export interface Received {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The application's place: records webhooks and answers with the scripted statuses, then 200. */
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
