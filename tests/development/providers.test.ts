import mongoose from "mongoose";
import { expect, onTestFinished, test } from "vitest";
import { moveMediaAddresses } from "../../development/demo/media-address.js";
import { startProviders } from "../../development/providers.js";
import { temporaryFolder } from "../server/after-use.js";

async function startIn(env: NodeJS.ProcessEnv) {
  const folder = await temporaryFolder();
  const providers = await startProviders(env, folder, { freePorts: true });
  onTestFinished(() => providers.close());
  return { ...providers, folder };
}

test("without variables all is emulated; stored addresses of media follow its port, and nothing else changes", async () => {
  const { env, table, database, folder } = await startIn({});
  expect(table.map(({ provider, kind }) => `${provider} ${kind}`)).toEqual([
    ...[
      "database emulator",
      "clerk emulator",
      "razorpay emulator",
      "cloudinary emulator",
      "openai emulator",
      "smtp emulator",
    ],
  ]);
  expect(database.address).toMatch(/^mongodb:\/\/127\.0\.0\.1:\d+\/.* \(/);
  const client = new mongoose.mongo.MongoClient(env.MONGODB_URI ?? "");
  onTestFinished(() => client.close());
  const courses = client.db().collection<{ _id: number }>("courses");
  const { Double, Long } = mongoose.mongo;
  const documentOn = (port: number) => ({
    thumbnail: `http://127.0.0.1:${port}/lyceum/image/upload/v1/cover.png`,
    lectures: [{ text: `![a](http://127.0.0.1:${port}/lyceum/raw/upload/v2/a.pdf) http://127.0.0.1:3103/other` }],
    price: new Double(5),
    views: Long.fromNumber(7),
    at: new Date(0),
  });
  await courses.insertMany([{ _id: 1, ...documentOn(3103) }, { _id: 2 }]);
  const move = (port: number) => moveMediaAddresses(env.MONGODB_URI ?? "", `http://127.0.0.1:${port}`, folder);
  const stored = () => courses.findOne({ _id: 1 }, { promoteValues: false });
  const wasStored = await stored();
  expect([await move(3113), await move(3113), await move(3123)]).toEqual([1, 0, 1]);
  expect(await stored()).toMatchObject({ thumbnail: documentOn(3123).thumbnail, lectures: documentOn(3123).lectures });
  expect(await move(3103)).toBe(1);
  expect(await stored()).toEqual(wasStored);
});

test("a database that is set is used, and its credentials are not shown", async () => {
  const MONGODB_URI = "mongodb://user:hidden@db.example:27017/lyceum?replicaSet=rs0";
  const { env, database } = await startIn({ MONGODB_URI });
  expect(database).toEqual({ provider: "database", kind: "real", address: "mongodb://db.example:27017/lyceum" });
  expect(env).not.toHaveProperty("MONGODB_URI");
});
