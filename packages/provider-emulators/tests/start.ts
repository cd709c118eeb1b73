import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type EmulatorOptions, type Emulators, startEmulators } from "../src/index.js";

/** Creates a folder that is removed when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "provider-emulators-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts all emulators, which close when the test ends. Retries take milliseconds. */
export async function startedEmulators(options: EmulatorOptions = {}): Promise<Emulators> {
  const clerk = { retryPausesMs: [1, 2, 3, 4, 5, 6] };
  const razorpay = { retryPausesMs: [1, 2, 3, 4, 5] };
  const all = { clerk, razorpay, cloudinary: true, openai: true, smtp: true };
  const emulators = await startEmulators({ ...all, ...options });
  onTestFinished(() => emulators.close());
  return emulators;
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
