import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const folder = await mkdtemp(join(tmpdir(), "lyceum-upgrade-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs ops/upgrade.sh with a shell script in the place of docker, where the instance `broken` is never ready. */
async function upgrade(broken = "") {
  const calls = join(folder, `calls${broken}`);
  // A new instance is ready at the second question.
  const docker = `#!/bin/sh
shift 3
case "$*" in
  *readyz*) instance=$3; echo "ask $instance" >> "${calls}"
    [ "$instance" != "${broken}" ] && [ "$(grep -c "ask $instance" "${calls}")" -ge 2 ] ;;
  *) echo "$*" >> "${calls}" ;;
esac
`;
  await writeFile(join(folder, "docker"), docker);
  await chmod(join(folder, "docker"), 0o755);
  const env = {
    ...process.env,
    PATH: `${folder}:${process.env.PATH}`,
    READY_SECONDS: broken ? "1" : "60",
    SETTLE_SECONDS: "0",
  };
  const finished = await new Promise<{ failed: boolean; stderr: string }>((resolve) => {
    execFile(join("ops", "upgrade.sh"), { env }, (error, _stdout, stderr) =>
      resolve({ failed: error !== null, stderr }),
    );
  });
  const lines = (await readFile(calls, "utf8")).trim().split("\n");
  return { ...finished, calls: lines.filter((line, index) => line !== lines[index - 1]) };
}

const replace = (instance: string) => [`up --detach --no-deps --no-build ${instance}`, `ask ${instance}`];
const migrate = "exec -T server-1 env -u NODE_OPTIONS node dist/cli/migrate.js";

test("the second instance is replaced when the first is ready, and then the migrations run", async () => {
  const { failed, calls } = await upgrade();
  expect(failed).toBe(false);
  expect(calls).toEqual(["build server-1", ...replace("server-1"), ...replace("server-2"), migrate]);
});

test("an instance that is not ready in time ends the upgrade, and the other one is left alone", async () => {
  const { failed, stderr, calls } = await upgrade("server-1");
  expect({ failed, stderr }).toEqual({ failed: true, stderr: expect.stringContaining("server-1 is not ready") });
  expect(stderr).toContain("docker compose --env-file production.env logs server-1");
  expect(calls).toEqual(["build server-1", ...replace("server-1")]);
});
