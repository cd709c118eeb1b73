import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import mongoose from "mongoose";
import { expect, onTestFinished, test } from "vitest";
import { listens, startDevelopment } from "../server/development-process.js";

const { MongoClient } = mongoose.mongo;
const quick = { DEMO_DATA: "off" };

/** Opens a collection in the database of the server on a folder. */
async function collectionOf(folder: string) {
  const { variables } = JSON.parse(await readFile(join(folder, "running.json"), "utf8"));
  const client = new MongoClient(variables.MONGODB_URI);
  onTestFinished(() => client.close());
  return client.db().collection("notes");
}

test("--reset starts on an empty database, never on one in use", { timeout: 180_000 }, async () => {
  const first = await startDevelopment(quick);
  await first.says(listens);
  const notes = await collectionOf(first.DATA_DIR);
  await notes.insertOne({ text: "kept until the reset" });
  const folder = first.DATA_DIR;
  const early = await startDevelopment(quick, { flags: ["--reset"], folder });
  await early.says(/A server runs on .*: stop it first/);
  await expect.poll(() => early.exitCode()).toBe(1);
  expect(await notes.countDocuments()).toBe(1);
  const second = await startDevelopment(quick, { folder });
  await second.says(/^The database folder .* is in use by process \d+; .*DATA_DIR.*\n$/);
  await expect.poll(() => second.exitCode()).toBe(1);
  await first.stop();

  const again = await startDevelopment(quick, { folder });
  await again.says(listens);
  expect(await (await collectionOf(folder)).countDocuments()).toBe(1);
  await again.stop();

  const reset = await startDevelopment({}, { flags: ["--reset"], folder });
  const port = await reset.says(listens);
  expect(await (await collectionOf(folder)).countDocuments()).toBe(0);
  const catalog = await fetch(`http://127.0.0.1:${port}/api/course/all`);
  expect([catalog.headers.get("x-demo-data"), await catalog.json()]).toEqual([null, { success: true, courses: [] }]);
});

test("--reset leaves a database alone that is not its own", { timeout: 90_000 }, async () => {
  const refused = await startDevelopment({ MONGODB_URI: "mongodb://127.0.0.1:9/" }, { flags: ["--reset"] });
  await refused.says(/--reset empties the embedded database only: unset MONGODB_URI/);
});

test("a port that is taken gives way to the next free one, and the start says so", { timeout: 90_000 }, async () => {
  const other = createServer().listen(0);
  await once(other, "listening");
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const server = await startDevelopment({ ...quick, PORT: String(port) }, { fromSources: true });
  const given = Number(await server.says(listens));
  await server.says(new RegExp(`localhost:${given} \\(port ${port} is taken\\)`));
  expect([(given - port) % 10, given > port]).toEqual([0, true]);
  expect((await fetch(`http://127.0.0.1:${given}/healthz`)).status).toBe(200);
});
