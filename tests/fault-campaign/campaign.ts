import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "../../src/cli/arguments.js";
import { run } from "../../src/process.js";
import { bundle } from "../server/bundle.js";
import { describe, scheduleOf } from "./schedule.js";

/**
 * `npm run campaign -- --seed N --minutes M` runs two servers in production mode with learners and injects faults in an
 * order that the seed decides. Then it checks every promise. The exit code is 1 for a broken promise. `MONGODB_URI` names
 * another database server.
 */
const usage = `npm run campaign [-- options]
  --seed <number>     decides the faults and the actions (default: by the time)
  --minutes <number>  duration (default: 1)
  --learners <count>  learners (default: 6)
  --every <seconds>   usual pause between faults (default: 1.5)
  --longest <seconds> longest fault (default: 10)
  --settle <seconds>  limit of the recovery (default: 150)
  --schedule          prints the faults, and runs nothing
  --keep              keeps the logs`;
const options = {
  seed: { type: "string", default: String(Date.now() % 1_000_000) },
  minutes: { type: "string", default: "1" },
  every: { type: "string", default: "1.5" },
  longest: { type: "string", default: "10" },
  learners: { type: "string", default: "6" },
  settle: { type: "string", default: "150" },
  schedule: { type: "boolean", default: false },
  keep: { type: "boolean", default: false },
} as const;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const { values } = readArguments(usage, options);
  const [seed, minutes] = [Number(values.seed), Number(values.minutes)];
  const [everyMs, longestMs] = [Number(values.every) * 1_000, Number(values.longest) * 1_000];
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  say(`seed ${seed}`);
  for (const fault of scheduleOf({ seed, ms: minutes * 60_000, everyMs, longestMs })) say(describe(fault));
  if (values.schedule) return;
  // The media SDK chooses between http and https on import, and the emulator uses http.
  process.env.CLOUDINARY_URL = "cloudinary://key:secret@lyceum?upload_prefix=http%3A%2F%2F127.0.0.1%3A9";
  const { runCampaign } = await import("./run-campaign.js");
  const folder = await mkdtemp(join(tmpdir(), "lyceum-campaign-"));
  const outcome = await runCampaign({
    ...{ seed, minutes, everyMs, longestMs, folder: join(folder, "run") },
    databaseName: `campaign_${seed}_${process.pid}`,
    learners: Number(values.learners),
    compile: (program) => bundle(program, join(folder, "compiled")),
    settleMs: Number(values.settle) * 1_000,
    progress: say,
  });
  const { promises, faults, skipped, tally, learners, settledMs, defects } = outcome;
  console.table(faults);
  console.table({ learners, ...tally, "faults that this system cannot have": skipped });
  const rows = promises.map(({ name, count, broken }) => ({
    promise: name,
    "checked on": count,
    broken: broken.length,
  }));
  console.table(rows);
  for (const { name, broken } of promises) for (const line of broken.slice(0, 20)) say(`BROKEN ${name}: ${line}`);
  for (const line of new Set(defects)) say(`DEFECT OF THE CAMPAIGN ${line}`);
  const isRight = defects.length === 0 && promises.every(({ broken }) => broken.length === 0);
  await writeFile(join(folder, "outcome.json"), JSON.stringify(outcome, null, 2));
  say(`seed ${seed}: ${isRight ? "every promise was kept" : "BROKEN"}, settled in ${(settledMs / 1_000).toFixed(1)} s`);
  if (isRight && !values.keep) await rm(folder, { recursive: true, force: true });
  else say(`logs: ${folder}`);
  process.exit(isRight ? 0 : 1);
}

run(main);
