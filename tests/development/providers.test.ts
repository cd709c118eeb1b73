import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mongoose from "mongoose";
import { expect, onTestFinished, test } from "vitest";
import { startProviders } from "../../src/development/providers.js";

async function startIn(env: NodeJS.ProcessEnv) {
  const folder = await mkdtemp(join(tmpdir(), "lyceum-providers-"));
  const providers = await startProviders(env, folder, { freePorts: true });
  onTestFinished(async () => {
    await providers.close();
    await rm(folder, { recursive: true, force: true });
  });
  return providers;
}

test("without variables the database and every provider are emulated", async () => {
  const { env, table, database } = await startIn({});
  expect(table.map(({ provider, kind }) => `${provider} ${kind}`)).toEqual([
    ...["database emulator", "clerk emulator", "razorpay emulator", "cloudinary emulator", "openai emulator"],
  ]);
  expect(database.address).toMatch(/^mongodb:\/\/127\.0\.0\.1:\d+\/.* \(/);
  const client = new mongoose.mongo.MongoClient(env.MONGODB_URI ?? "");
  expect(await client.db().command({ ping: 1 })).toMatchObject({ ok: 1 });
  await client.close();
});

test("a database that is set is used, and its credentials are not shown", async () => {
  const MONGODB_URI = "mongodb://user:hidden@db.example:27017/lyceum?replicaSet=rs0";
  const { env, database } = await startIn({ MONGODB_URI });
  expect(database).toEqual({ provider: "database", kind: "real", address: "mongodb://db.example:27017/lyceum" });
  expect(env).not.toHaveProperty("MONGODB_URI");
});
