import { execFile } from "node:child_process";
import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { collectedLines } from "../../src/process.js";

test("lines are held for a tenth of a second, and written at once with an error or when they are many", async () => {
  const written: string[] = [];
  const lines = collectedLines({ write: (text: string) => void written.push(text) });
  lines.write("one\n");
  lines.write("two\n");
  await turn();
  expect(written).toEqual([]);
  await expect.poll(() => written).toEqual(["one\ntwo\n"]);
  lines.write("three\n");
  lines.write('{"level":"error","msg":"four"}\n');
  expect(written.at(-1)).toBe('three\n{"level":"error","msg":"four"}\n');
  lines.write("x".repeat(70_000));
  expect(written).toHaveLength(3);
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
