import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { listens, startDevelopment } from "../server/development-process.js";

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
  const seed = await startDevelopment({ CLOUDINARY_URL: "cloudinary://key:secret@real" }, { entry: "src/cli/seed.ts" });
  await seed.says(/these are real: media storage\. .*--into-real-providers/);
  await expect.poll(() => seed.exitCode()).toBe(1);
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
