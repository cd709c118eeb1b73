import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tableOf } from "../../bench/report/tables.js";
import { readArguments } from "../../src/cli/arguments.js";
import { run } from "../../src/process.js";
import { bundle } from "../server/bundle.js";

/**
 * `npm run soak -- --minutes 10` runs mixed traffic on two servers in production mode, with rolling restarts and
 * outages of the database and Redis. The exit code is 1 when a request fails outside a database outage or a promise is
 * broken. `MONGODB_URI` names another database server.
 */
const usage = `npm run soak [-- options]
  --minutes <number>  duration (default: 10)
  --learners <count>  learners (default: 6)
  --metrics <folder>  writes /metrics there every five seconds
  --out <file>        writes tables in Markdown there, and figures in JSON beside it`;
const options = {
  minutes: { type: "string", default: "10" },
  learners: { type: "string", default: "6" },
  metrics: { type: "string" },
  out: { type: "string" },
} as const;

async function main(): Promise<void> {
  const { values } = readArguments(usage, options);
  // The media SDK chooses between http and https on import, and the emulator uses http.
  process.env.CLOUDINARY_URL = "cloudinary://key:secret@lyceum?upload_prefix=http%3A%2F%2F127.0.0.1%3A9";
  const { runSoak } = await import("./run-soak.js");

  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const folder = await mkdtemp(join(tmpdir(), "lyceum-soak-"));
  const given = process.env.MONGODB_URI;
  const uri = given ? new URL(given) : undefined;
  if (uri) uri.pathname = `/soak_${process.pid}`;
  const soaked = await runSoak({
    ...{ minutes: Number(values.minutes), learners: Number(values.learners), metrics: values.metrics },
    ...{ folder: join(folder, "run"), databaseUri: uri?.href, progress: say },
    compile: (program) => bundle(program, join(folder, "compiled")),
  });

  const { parts, growth, promises, defects } = soaked;
  const tables = [
    parts.map(({ name, failures: _, ...figures }) => ({ part: name, ...figures })),
    growth.map((figures) => ({ ...figures })),
    promises.map(({ name, count, broken }) => ({ promise: name, "checked on": count, broken: broken.length })),
  ]
    .map(tableOf)
    .join("\n\n");
  say(tables);
  if (values.out) {
    await writeFile(values.out, tables);
    await writeFile(`${values.out.replace(/\.md$/, "")}.json`, JSON.stringify(soaked, null, 2));
  }
  for (const { name, broken } of promises) for (const line of broken.slice(0, 20)) say(`BROKEN ${name}: ${line}`);
  for (const line of new Set(defects)) say(`DEFECT OF THE SOAK ${line}`);
  // Requests fail during a database outage, as expected.
  const failed = parts.filter((part) => part.failed > 0 && part.name !== "database away");
  for (const { name, failed: count, failures } of failed) {
    say(`FAILED ${count} requests: ${name}: ${JSON.stringify(failures)}`);
  }
  const isRight = failed.length + defects.length === 0 && promises.every(({ broken }) => broken.length === 0);
  say(isRight ? "every request was served, every promise kept" : `BROKEN; logs: ${folder}`);
  if (isRight) await rm(folder, { recursive: true, force: true });
  process.exit(isRight ? 0 : 1);
}

run(main);
