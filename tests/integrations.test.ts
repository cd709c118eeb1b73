import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "./server/test-server.js";

const server = await startTestServer();
const admin = await server.signedIn("admin");

/** Writes an example of the guide into an empty folder, from which it can import the repository's packages. */
async function example(name: string): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), "integration-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const guide = await readFile("docs/integrations.md", "utf8");
  const code = guide.split("```").find((block) => block.startsWith(`js\n// ${name}\n`));
  expect(code, name).toBeDefined();
  await writeFile(join(cwd, name), code?.slice("js\n".length) ?? "");
  await symlink(resolve("node_modules"), join(cwd, "node_modules"));
  return cwd;
}

const environment = (values: Record<string, string>) => ({ ...process.env, LYCEUM_URL: server.url, ...values });

test("a webhook is verified, and a forged one is refused", { timeout: 60_000 }, async () => {
  const cwd = await example("receive-webhooks.mjs");
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const { port } = free.address() as AddressInfo;
  await new Promise((closed) => free.close(closed));
  const url = `http://127.0.0.1:${port}/`;
  const created = await server.post("/api/admin/webhooks", { url, types: ["*"] }, admin.token);
  expect(created).toMatchObject({ status: 200 });
  const { secret, webhook } = created.body;
  const env = environment({ WEBHOOK_SECRET: secret, PORT: String(port) });
  const receiver = spawn("node", ["receive-webhooks.mjs"], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void receiver.kill());
  let output = "";
  receiver.stdout.on("data", (text) => {
    output += text;
  });
  await expect.poll(() => output, { timeout: 20_000 }).toContain("ready");
  const ping = await server.post(`/api/admin/webhooks/${webhook._id}/ping`, {}, admin.token);
  expect(ping.body).toMatchObject({ delivery: { state: "delivered" } });
  expect(output).toMatch(/ ping /);
  const headers = { "webhook-id": "x", "webhook-timestamp": `${Math.floor(Date.now() / 1000)}` };
  const forged = await fetch(url, {
    method: "POST",
    body: "{}",
    headers: { ...headers, "webhook-signature": "v1,AA" },
  });
  expect(forged.status).toBe(400);
});
