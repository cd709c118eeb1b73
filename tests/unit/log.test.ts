import { execFile } from "node:child_process";
import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { linesOfATurn } from "../../src/process.js";

test("the lines of one turn of the event loop are written at once, in order", async () => {
  const written: string[] = [];
  const lines = linesOfATurn({ write: (text: string) => void written.push(text) });
  lines.write("one\n");
  await Promise.resolve();
  lines.write("two\n");
  expect(written).toEqual([]);
  await turn();
  expect(written).toEqual(["one\ntwo\n"]);
  await turn();
  lines.write("three\n");
  await turn();
  expect(written).toEqual(["one\ntwo\n", "three\n"]);
});

test.each([
  ["ends itself", "process.exit(3);"],
  ["ends by an error", "throw new Error('x');"],
])("a process that %s has written all of its lines", async (_how, end) => {
  const program = `import { createLog } from "./src/process.ts"; const log = createLog("info"); log.info("first"); log.info("last"); ${end}`;
  const run = promisify(execFile)(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program]);
  const { stdout } = (await run.catch((error: unknown) => error)) as { stdout: string };
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).msg),
  ).toEqual(["first", "last"]);
});
