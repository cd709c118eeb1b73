import { randomUUID } from "node:crypto";
import mongoose from "mongoose";
import { expect, inject, test } from "vitest";

test("the database of the run is a replica set that takes transactions", async () => {
  const dbName = `test_${randomUUID().replaceAll("-", "").slice(0, 20)}`;
  const connection = await mongoose.createConnection(inject("databaseUri"), { dbName }).asPromise();
  const notes = connection.collection<{ text: string }>("notes");
  const undone = async (session: mongoose.mongo.ClientSession) => {
    await notes.insertOne({ text: "undone" }, { session });
    throw new Error("undone");
  };
  try {
    expect(await connection.db?.admin().command({ hello: 1 })).toHaveProperty("setName");
    await notes.insertOne({ text: "kept" });
    await expect(connection.withSession((session) => session.withTransaction(undone))).rejects.toThrow("undone");
    await connection.withSession((session) =>
      session.withTransaction(() => notes.insertOne({ text: "committed" }, { session })),
    );
    expect((await notes.find().toArray()).map(({ text }) => text).sort()).toEqual(["committed", "kept"]);
  } finally {
    await connection.dropDatabase();
    await connection.close();
  }
});
