import { execFile, execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../server/after-use.js";

/* The scripts of ops, with shell scripts in the place of the programs that they call. */

/** Writes a shell script in the place of a program, into a folder that is searched first. */
async function replaceProgram(folder: string, program: string, script: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return `${folder}:${process.env.PATH}`;
}

const runScript = (script: string, env: NodeJS.ProcessEnv) =>
  new Promise<{ failed: boolean; stderr: string }>((resolve) => {
    execFile(script, { env }, (error, _stdout, stderr) => resolve({ failed: error !== null, stderr }));
  });

async function backUp(mongodump: string) {
  const folder = await temporaryFolder();
  const [bin, dumps, metrics] = [join(folder, "bin"), join(folder, "dumps"), join(folder, "metrics")];
  for (const path of [dumps, metrics]) await mkdir(path);
  const PATH = await replaceProgram(bin, "mongodump", `echo "$@" > "${bin}/arguments"\n${mongodump}`);
  for (const [file, days] of Object.entries({ "lyceum-old.gz": 8, "lyceum-new.gz": 6, "other-old.gz": 8 })) {
    await writeFile(join(dumps, file), "");
    const time = new Date(Date.now() - days * 86_400_000);
    await utimes(join(dumps, file), time, time);
  }
  const MONGODB_URI = "mongodb://backup:password@db/?replicaSet=rs0";
  const env = { PATH, MONGODB_URI, BACKUP_DIR: dumps, METRICS_DIR: metrics, KEEP_DAYS: "7" };
  const { failed } = await runScript("ops/backup/backup.sh", env);
  const given = await readFile(join(bin, "arguments"), "utf8");
  return { failed, given, dumps, metrics, files: (await readdir(dumps)).sort() };
}

/** The file that the last argument of mongodump names. */
const archive = `"$${"{last#--archive=}"}"`;
/** Writes what the configuration file says to the archive, as gzip. */
const dump = `for last; do :; done\ngzip < "$2" > ${archive}`;
const halfDump = `for last; do :; done\necho half > ${archive}`;

test("a backup is a dated file that its owner alone can read, older files go, and a metric tells", async () => {
  const { failed, given, dumps, metrics, files } = await backUp(dump);
  expect(failed).toBe(false);
  expect(given).toMatch(/--oplog --gzip --archive=/);
  expect(given).not.toContain("password");
  const [dated = "", ...others] = files;
  expect(dated).toMatch(/^lyceum-\d{4}-\d\d-\d\dT\d{6}Z\.gz$/);
  expect(others).toEqual(["lyceum-new.gz", "other-old.gz"]);
  expect((await stat(join(dumps, dated))).mode & 0o777).toBe(0o600);
  expect(await readdir(metrics)).toEqual(["lyceum_backup.prom"]);
  const metric = await readFile(join(metrics, "lyceum_backup.prom"), "utf8");
  const [, seconds] = /^lyceum_backup_completed_timestamp_seconds (\d+)\n$/.exec(metric) ?? [];
  expect(Math.abs(Number(seconds) - Date.now() / 1000)).toBeLessThan(60);
  expect(await readFile("ops/prometheus/alerts.yaml", "utf8")).toContain("lyceum_backup_completed_timestamp_seconds");
});

test.each([
  ["fails", `${halfDump}\nexit 1`],
  ["writes no archive", halfDump],
])("a backup whose mongodump %s deletes nothing and writes no metric", async (_what, mongodump) => {
  const { failed, metrics, files } = await backUp(mongodump);
  expect(failed).toBe(true);
  expect(files).toEqual(["lyceum-new.gz", "lyceum-old.gz", "other-old.gz"]);
  expect(await readdir(metrics)).toEqual([]);
});

/** Runs ops/upgrade.sh, where the instance `broken` is never ready, and others at the second question. */
async function upgrade(broken = "") {
  const folder = await temporaryFolder();
  const calls = join(folder, "calls");
  const docker = `shift 3
case "$*" in
  *readyz*) instance=$3; echo "ask $instance" >> "${calls}"
    [ "$instance" != "${broken}" ] && [ "$(grep -c "ask $instance" "${calls}")" -ge 2 ] ;;
  *) echo "$*" >> "${calls}" ;;
esac`;
  const PATH = await replaceProgram(folder, "docker", docker);
  const env = { ...process.env, PATH, READY_SECONDS: broken ? "1" : "60", SETTLE_SECONDS: "0" };
  const finished = await runScript("ops/upgrade.sh", env);
  const lines = (await readFile(calls, "utf8")).trim().split("\n");
  return { ...finished, calls: lines.filter((line, index) => line !== lines[index - 1]) };
}

const replace = (instance: string) => [`up --detach --no-deps --no-build ${instance}`, `ask ${instance}`];

test("the second instance is replaced when the first is ready, and then the migrations run", async () => {
  const { failed, calls } = await upgrade();
  expect(failed).toBe(false);
  const migrate = "exec -T server-1 env -u NODE_OPTIONS node dist/cli/migrate.js";
  expect(calls).toEqual(["build server-1", ...replace("server-1"), ...replace("server-2"), migrate]);
});

test("an instance that is not ready in time ends the upgrade, and the other one is left alone", async () => {
  const { failed, stderr, calls } = await upgrade("server-1");
  expect({ failed, stderr }).toEqual({ failed: true, stderr: expect.stringContaining("server-1 is not ready") });
  expect(stderr).toContain("docker compose --env-file production.env logs server-1");
  expect(calls).toEqual(["build server-1", ...replace("server-1")]);
});

test("the image loses what the server never reads, and keeps licences and the typefaces in use", async () => {
  const folder = await temporaryFolder();
  const typefaces = await readFile("packages/certificate-pdf/src/typefaces.ts", "utf8");
  const [used = ""] = typefaces.match(/@expo-google-fonts[^"]+\.ttf/) ?? [];
  const kept = [used, "a/index.js", "a/LICENSE.md", "a/README.md", "a/data.json", "a/font.ttf"];
  const deleted = [`${dirname(used)}/Other_700Bold.ttf`, "a/index.js.map", "a/index.d.ts", "a/CHANGELOG.md"];
  const write = async (path: string, content = "") => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  await write("packages/certificate-pdf/dist/typefaces.js", typefaces);
  for (const path of [...kept, ...deleted]) await write(join("node_modules", path));
  const said = execFileSync("node", ["ops/prune-modules.mjs", folder], { encoding: "utf8" });
  expect(said).toMatch(/^node_modules: \d+ MB/);
  const left = await readdir(join(folder, "node_modules"), { recursive: true, withFileTypes: true });
  const files = left.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
  expect(files.sort()).toEqual(kept.map((path) => join(folder, "node_modules", path)).sort());
});

test("every production package has a known licence", () => {
  const said = execFileSync("node", ["--import", "tsx", "ops/licences.ts"], { encoding: "utf8" });
  expect(said).toMatch(/^ *\d+ LGPL-3\.0-or-later {2}← .*@img\/sharp-libvips-linux-x64/m);
});
