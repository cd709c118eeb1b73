import { execFile, spawn } from "node:child_process";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../development/cli/free-port.js";
import { buildCourse } from "./factories/courses.js";
import { temporaryFolder } from "./server/after-use.js";
import { startTestServer } from "./server/test-server.js";

const run = promisify(execFile);
const server = await startTestServer({ jobs: true });
const admin = await server.signedIn("admin");

/** Writes an example of the guide into an empty folder, from which it can import the repository's packages. */
async function example(name: string): Promise<string> {
  const cwd = await temporaryFolder();
  const guide = await readFile("docs/integrations.md", "utf8");
  const code = guide.split("```").find((block) => block.startsWith(`js\n// ${name}\n`));
  expect(code, name).toBeDefined();
  await writeFile(join(cwd, name), code?.slice("js\n".length) ?? "");
  await symlink(resolve("node_modules"), join(cwd, "node_modules"));
  return cwd;
}

async function createKey(...scopes: string[]): Promise<string> {
  const created = await server.post("/api/admin/api-keys", { name: "Test", scopes }, admin.token);
  expect(created).toMatchObject({ status: 200 });
  return created.body.secret;
}

const environment = (values: Record<string, string>) => ({ ...process.env, LYCEUM_URL: server.url, ...values });

test("events are copied into a file, and a second run goes on", { timeout: 60_000 }, async () => {
  const cwd = await example("copy-events.mjs");
  const env = environment({ LYCEUM_KEY: await createKey("events:read") });
  const copy = async (): Promise<{ _id: string; type: string }[]> => {
    await run("node", ["copy-events.mjs"], { cwd, env });
    const lines = (await readFile(join(cwd, "events.jsonl"), "utf8")).trim().split("\n");
    return lines.map((line) => JSON.parse(line));
  };
  const educator = await server.signedIn("educator");
  const course = await buildCourse(server, { educatorId: educator.id });
  const publish = (isPublished: boolean) =>
    server.patch(`/api/educator/courses/${course._id}/publish`, { isPublished }, educator.token);
  await publish(false);
  await publish(true);
  const first = await copy();
  expect(first.map(({ type }) => type).slice(-2)).toEqual(["course.unpublished", "course.published"]);
  await publish(false);
  const second = await copy();
  expect(second.slice(0, -1)).toEqual(first);
  expect(second.at(-1)?.type).toBe("course.unpublished");
});

test("a thousand people are enrolled with a key", { timeout: 120_000 }, async () => {
  const cwd = await example("enroll.mjs");
  const course = await buildCourse(server);
  const people = Array.from({ length: 1_000 }, (_, n) => `person-${n}@example.com`);
  await writeFile(join(cwd, "people.csv"), people.join("\n"));
  const env = environment({ LYCEUM_KEY: await createKey("enrollments:write"), COURSE_ID: String(course._id) });
  const enroll = async () => (await run("node", ["enroll.mjs"], { cwd, env })).stdout;
  expect(await enroll()).toMatch(/total: 1000,\s+granted: 0,\s+waiting: 1000,/);
  expect(await enroll()).toMatch(/skipped: 1000,/);
});

test("a webhook is verified, and a forged one is refused", { timeout: 60_000 }, async () => {
  const cwd = await example("receive-webhooks.mjs");
  const port = await findFreePort(0);
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
