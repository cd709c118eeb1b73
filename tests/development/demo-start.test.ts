import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";

/** Starts the development server, or another entry, on an empty embedded database. */
async function startDevelopment(env: Record<string, string> = {}, entry = "src/dev.ts") {
  const DATA_DIR = await mkdtemp(join(tmpdir(), "lyceum-first-start-"));
  const { MONGODB_URI, CLOUDINARY_URL, ...inherited } = process.env;
  const child = spawn(process.execPath, ["--import", "tsx", entry], {
    env: { ...inherited, DATA_DIR, PORT: "0", NODE_ENV: "development", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (piece: Buffer) => {
      written.text += piece;
    });
  }
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
    await rm(DATA_DIR, { recursive: true, force: true });
  });
  const says = async (pattern: RegExp): Promise<string> => {
    await vi.waitUntil(() => pattern.test(written.text) || child.exitCode !== null, { timeout: 60_000 });
    expect(written.text).toMatch(pattern);
    return pattern.exec(written.text)?.[1] ?? "";
  };
  return { DATA_DIR, says, exitCode: () => child.exitCode };
}

const listens = /Lyceum listens on\s+http:\/\/localhost:(\d+)/;
const coursesOf = async (port: string) => {
  const reply = await fetch(`http://127.0.0.1:${port}/api/course/all`);
  return ((await reply.json()) as { courses: unknown[] }).courses.length;
};

test("no demo data reaches a real media storage, and the server goes on", { timeout: 90_000 }, async () => {
  let calls = 0;
  const storage = createServer((_req, res) => {
    calls += 1;
    res.writeHead(500).end("{}");
  });
  await once(storage.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void storage.close());
  const address = encodeURIComponent(`http://127.0.0.1:${(storage.address() as AddressInfo).port}`);
  const server = await startDevelopment({ CLOUDINARY_URL: `cloudinary://key:secret@real?upload_prefix=${address}` });
  const port = await server.says(listens);
  await server.says(/no demo data is loaded/);
  expect(await coursesOf(port)).toBe(0);
  expect({ calls, exitCode: server.exitCode() }).toEqual({ calls: 0, exitCode: null });
});

test("npm run seed does not load demo data into a real media storage", { timeout: 90_000 }, async () => {
  const seed = await startDevelopment({ CLOUDINARY_URL: "cloudinary://key:secret@real" }, "src/cli/seed.ts");
  await seed.says(/these are real: media storage\. .*--into-real-providers/);
  await vi.waitUntil(() => seed.exitCode() !== null);
  expect(seed.exitCode()).toBe(1);
});

test("demo data that cannot be loaded is one warning, and the server goes on", { timeout: 90_000 }, async () => {
  const server = await startDevelopment();
  const ports = join(server.DATA_DIR, "emulators", "ports.json");
  const breakStorage = async () => {
    const { storage } = JSON.parse(await readFile(ports, "utf8"));
    const body = JSON.stringify({ kind: "error", status: 500, times: 1_000 });
    const headers = { "content-type": "application/json" };
    return (await fetch(`http://127.0.0.1:${storage}/dev/faults`, { method: "POST", headers, body })).ok;
  };
  await vi.waitUntil(() => breakStorage().catch(() => false), { timeout: 60_000 });
  const port = await server.says(listens);
  await server.says(/the demo data is not complete/);
  expect(await coursesOf(port)).toBeGreaterThanOrEqual(0);
  expect(server.exitCode()).toBeNull();
});
