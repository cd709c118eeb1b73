import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { JsonFile, removeLeftovers } from "../src/json-file.js";
import { temporaryFolder } from "./start.js";

test("what was changed before a save is on disk when it resolves, however many saves run at once", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "state.json");
  const file = await JsonFile.open(path, z.array(z.number()), []);
  const missing: number[] = [];
  const add = async (number: number) => {
    file.state.push(number);
    await file.save();
    const onDisk: unknown[] = JSON.parse(await readFile(path, "utf8"));
    if (!onDisk.includes(number)) missing.push(number);
  };
  for (let round = 0; round < 5; round += 1) {
    const batch = Array.from({ length: 20 }, async (_, at) => {
      // The changes take several turns of the event loop, so that they meet running writes.
      for (let turn = 0; turn < at; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await add(round * 20 + at);
    });
    await Promise.all(batch);
  }
  expect(missing).toEqual([]);
  expect(file.state).toHaveLength(100);
  expect(await readdir(folder)).toEqual(["state.json"]);
});

test("what a killed process left half-written is cleared away, what another one writes is not", async () => {
  const folder = await temporaryFolder();
  for (const name of ["state.json", "state.json.old.tmp", "state.json.new.tmp"])
    await writeFile(join(folder, name), "[]");
  const earlier = new Date(Date.now() - 3_600_000);
  await utimes(join(folder, "state.json"), earlier, earlier);
  await utimes(join(folder, "state.json.old.tmp"), earlier, earlier);
  await removeLeftovers(folder);
  expect((await readdir(folder)).sort()).toEqual(["state.json", "state.json.new.tmp"]);
});
