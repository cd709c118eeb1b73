import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../server/after-use.js";

/** Runs the command of package.json with test files. @returns its exit code and output. */
async function onMongod(env: NodeJS.ProcessEnv, ...files: string[]): Promise<{ code: number; printed: string }> {
  const { MONGODB_URI, VITEST, VITEST_POOL_ID, VITEST_WORKER_ID, ...own } = process.env;
  const child = spawn("npm", ["run", "test:mongod", "--", ...files], { env: { ...own, NO_COLOR: "1", ...env } });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (bytes: Buffer) => {
      printed += bytes;
    });
  }
  const [code] = await once(child, "close");
  return { code: Number(code), printed };
}

/** Writes a program that starts and reports like a mongod, but runs the embedded database. */
async function mongodReplacement(): Promise<string> {
  const path = join(await temporaryFolder(), "mongod");
  const command = resolve("packages/embedded-mongo/src/cli.ts");
  const script = `#!/bin/sh
[ "$1" = --version ] && echo "db version v7.0.14" && exit 0
while [ $# -gt 0 ]; do case "$1" in --port) export PORT="$2";; --dbpath) export DATA_DIR="$2";; esac; shift; done
echo '{"msg":"Waiting for connections"}'
echo '{"msg":"Transition to primary complete; database writes are now permitted"}'
exec "${process.execPath}" -C lyceum-source --import tsx "${command}"
`;
  await writeFile(path, script, { mode: 0o755 });
  return path;
}

test("one command runs test files on a mongod and ends as they do", { timeout: 120_000 }, async () => {
  const env = { MONGOMS_SYSTEM_BINARY: await mongodReplacement() };
  const { code, printed } = await onMongod(env, "tests/development/run-database.test.ts");
  expect(printed).toContain(`The suite runs on mongod (${env.MONGOMS_SYSTEM_BINARY})`);
  expect(printed).toMatch(/Test Files +1 passed/);
  expect(code).toBe(0);
});

test("without a mongod, and none to be had, the command says so and fails", { timeout: 60_000 }, async () => {
  const nowhere = {
    HOME: await temporaryFolder(),
    MONGOMS_SYSTEM_BINARY: "",
    MONGOMS_DOWNLOAD_MIRROR: "http://127.0.0.1:9",
  };
  const { code, printed } = await onMongod(nowhere);
  expect(printed).toMatch(/There is no mongod here, and http:\/\/127.0.0.1:9 cannot be reached/);
  expect(code).not.toBe(0);
});
