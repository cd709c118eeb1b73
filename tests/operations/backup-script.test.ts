import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";

const folder = await mkdtemp(join(tmpdir(), "lyceum-backup-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs ops/backup/backup.sh with a shell script in the place of mongodump. */
async function backUp(name: string, mongodump: string) {
  const [bin, dumps, metrics] = ["bin", "dumps", "metrics"].map((part) => join(folder, name, part)) as [
    string,
    string,
    string,
  ];
  for (const path of [bin, dumps, metrics]) await mkdir(path, { recursive: true });
  await writeFile(join(bin, "mongodump"), `#!/bin/sh\necho "$@" > "${bin}/arguments"\n${mongodump}\n`);
  await chmod(join(bin, "mongodump"), 0o755);
  for (const [file, days] of Object.entries({ "lyceum-old.gz": 8, "lyceum-new.gz": 6, "other-old.gz": 8 })) {
    await writeFile(join(dumps, file), "");
    const time = new Date(Date.now() - days * 86_400_000);
    await utimes(join(dumps, file), time, time);
  }
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    MONGODB_URI: "mongodb://backup:password@db/?replicaSet=rs0",
    BACKUP_DIR: dumps,
    METRICS_DIR: metrics,
    KEEP_DAYS: "7",
  };
  const failed = await promisify(execFile)("ops/backup/backup.sh", { env }).then(
    () => false,
    () => true,
  );
  const given = await readFile(join(bin, "arguments"), "utf8");
  return { failed, given, dumps, metrics, files: (await readdir(dumps)).sort() };
}

/** Writes what the configuration file says to the archive, as gzip. */
const dump = 'for last; do :; done\ngzip < "$2" > "' + "$" + '{last#--archive=}"';

test("a backup is a dated file that its owner alone can read, older files go, and a metric tells", async () => {
  const { failed, given, dumps, metrics, files } = await backUp("success", dump);
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
  ["fails", 'for last; do :; done\necho half > "' + "$" + '{last#--archive=}"\nexit 1'],
  ["writes no archive", 'for last; do :; done\necho half > "' + "$" + '{last#--archive=}"'],
])("a backup whose mongodump %s deletes nothing and writes no metric", async (name, mongodump) => {
  const { failed, metrics, files } = await backUp(name, mongodump);
  expect(failed).toBe(true);
  expect(files).toEqual(["lyceum-new.gz", "lyceum-old.gz", "other-old.gz"]);
  expect(await readdir(metrics)).toEqual([]);
});
