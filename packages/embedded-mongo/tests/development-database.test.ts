import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { expect, test } from "vitest";
import { startDevelopmentDatabase } from "../src/development-database.js";
import { temporaryFolder } from "./support.js";

const nowhere = { PATH: "", HOME: "/nonexistent" };

test("MONGODB_URI comes first", async () => {
  const chosen = await startDevelopmentDatabase(
    { ...nowhere, MONGODB_URI: "mongodb://db.example/x" },
    { dataDir: "/nonexistent" },
  );
  expect(chosen).toMatchObject({ uri: "mongodb://db.example/x", kind: "MONGODB_URI" });
  await chosen.close();
});

test("without a mongod it is the embedded server, at once and without a download", async () => {
  const chosen = await startDevelopmentDatabase(nowhere, { dataDir: temporaryFolder() });
  expect(chosen.kind).toBe("embedded");
  const client = await new MongoClient(chosen.uri).connect();
  expect((await client.db().command({ ping: 1 })).ok).toBe(1);
  await client.close();
  await chosen.close();
});

test("a mongod that does not run is passed over, or complained of when it is forced", async () => {
  const folder = temporaryFolder();
  const broken = join(folder, "mongod");
  writeFileSync(broken, "#!/bin/sh\nexit 1\n");
  chmodSync(broken, 0o755);
  for (const env of [
    { ...nowhere, PATH: folder },
    { ...nowhere, MONGOMS_SYSTEM_BINARY: broken },
    { ...nowhere, MONGOMS_DOWNLOAD_DIR: folder },
  ]) {
    const chosen = await startDevelopmentDatabase(env, { dataDir: temporaryFolder() });
    expect(chosen.kind).toBe("embedded");
    await chosen.close();
  }
  await expect(
    startDevelopmentDatabase({ ...nowhere, LYCEUM_DATABASE: "mongod" }, { dataDir: folder }),
  ).rejects.toThrow(/no working mongod/);
});

test("a variable forces each kind", async () => {
  const forced = await startDevelopmentDatabase(
    { ...nowhere, MONGODB_URI: "mongodb://db.example/x", LYCEUM_DATABASE: "embedded" },
    { dataDir: temporaryFolder() },
  );
  expect(forced.kind).toBe("embedded");
  await forced.close();
  await expect(
    startDevelopmentDatabase({ ...nowhere, LYCEUM_DATABASE: "memory-server" }, { dataDir: "x" }),
  ).rejects.toThrow(/MONGOMS_RUNTIME_DOWNLOAD/);
  await expect(startDevelopmentDatabase({ ...nowhere, LYCEUM_DATABASE: "oracle" }, { dataDir: "x" })).rejects.toThrow(
    /must be embedded, mongod or memory-server/,
  );
});
