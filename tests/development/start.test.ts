import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import mongoose from "mongoose";
import { expect, onTestFinished, test, vi } from "vitest";
import { startWebServer } from "../server/after-use.js";
import { listens, startDevelopment } from "../server/development-process.js";

vi.setConfig({ testTimeout: 120_000 });
const withoutDemo = { DEMO_DATA: "off" };

/** Opens a collection in the database of the server on a folder. */
async function collectionOf(folder: string) {
  const { variables } = JSON.parse(await readFile(join(folder, "running.json"), "utf8"));
  const client = new mongoose.mongo.MongoClient(variables.MONGODB_URI);
  onTestFinished(() => client.close());
  return client.db().collection("notes");
}

const catalogOf = async (port: string) => {
  const reply = await fetch(`http://127.0.0.1:${port}/api/course/all`);
  return { demo: reply.headers.get("x-demo-data"), ...((await reply.json()) as { courses: unknown[] }) };
};

test("--reset starts on an empty database, never on one in use", async () => {
  const first = await startDevelopment(withoutDemo);
  await first.says(listens);
  const folder = first.DATA_DIR;
  const notes = await collectionOf(folder);
  await notes.insertOne({ text: "kept until the reset" });
  const early = await startDevelopment(withoutDemo, { flags: ["--reset"], folder });
  await early.says(/A server runs on .*: stop it first/);
  await expect.poll(() => early.exitCode()).toBe(1);
  expect(await notes.countDocuments()).toBe(1);
  const second = await startDevelopment(withoutDemo, { folder });
  await second.says(/^The database folder .* is in use by process \d+; .*DATA_DIR.*\n$/);
  await expect.poll(() => second.exitCode()).toBe(1);
  await first.stop();

  const reset = await startDevelopment({}, { flags: ["--reset"], folder });
  const port = await reset.says(listens);
  expect(await (await collectionOf(folder)).countDocuments()).toBe(0);
  expect(await catalogOf(port)).toEqual({ demo: null, success: true, courses: [] });
});

test("--reset leaves a database alone that is not its own", async () => {
  const refused = await startDevelopment({ MONGODB_URI: "mongodb://127.0.0.1:9/" }, { flags: ["--reset"] });
  await refused.says(/--reset empties the embedded database only: unset MONGODB_URI/);
});

test("a port that is taken gives way to the next free one, and the start says so", async () => {
  const other = createServer().listen(0);
  await once(other, "listening");
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const server = await startDevelopment({ ...withoutDemo, PORT: String(port) });
  const given = Number(await server.says(listens));
  await server.says(new RegExp(`localhost:${given} \\(port ${port} is taken\\)`));
  expect([(given - port) % 10, given > port]).toEqual([0, true]);
  expect((await fetch(`http://127.0.0.1:${given}/healthz`)).status).toBe(200);
});

test("no demo data reaches a real media storage, and the server goes on", async () => {
  let calls = 0;
  const storage = await startWebServer((_req, res) => {
    calls += 1;
    res.writeHead(500).end("{}");
  });
  const CLOUDINARY_URL = `cloudinary://key:secret@real?upload_prefix=${encodeURIComponent(storage.url)}`;
  const server = await startDevelopment({ CLOUDINARY_URL });
  const port = await server.says(listens);
  await server.says(/no demo data is loaded/);
  expect((await catalogOf(port)).courses).toEqual([]);
  expect({ calls, exitCode: server.exitCode() }).toEqual({ calls: 0, exitCode: null });
  const seed = await startDevelopment({ CLOUDINARY_URL }, { entry: "development/cli/seed.ts" });
  await seed.says(/these are real: media storage\. .*--into-real-providers/);
  await expect.poll(() => seed.exitCode()).toBe(1);
});

test("demo data that cannot be loaded is one warning, and the server goes on", async () => {
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
  expect(await catalogOf(port)).toMatchObject({ success: true });
  expect(server.exitCode()).toBeNull();
});
