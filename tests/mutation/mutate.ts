import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { documentOf } from "./document.js";
import type { Guard } from "./guard.js";
import { guards } from "./guards.js";
import { type Outcome, rowOf, runGuards } from "./run-guard.js";
import { scratchCopy } from "./scratch-copy.js";

/*
 * npm run mutate: takes each guard away in turn, in a copy of the tree, and runs the tests that should notice.
 *
 *   --only ID,ID    some guards
 *   --file TEXT     guards of source files whose path holds the text
 *   --shard 1/4     a part of them
 *   --most 10       no more than so many of them
 *   --together      guards of different features at once, each judged by its own tests; fast, and who survives is run alone
 *   --again         also those that have an outcome
 *   --document      runs nothing; writes docs/mutation.md from the newest outcomes
 *
 *   --stryker       runs Stryker on modules without a server instead; fetched by npx, since few need it
 *
 * Ends with 1 when no test has noticed that a guard was gone.
 */

/** The newest outcome of each guard is kept between runs, so that a run that was stopped goes on. */
const kept = "node_modules/.cache/mutation/outcomes.jsonl";

const mostTogether = 8;
/** What every feature goes through: without its guard any test may fail. */
const shared = /^(http|db|app|server|process|services\/users)\b/;

function outcomes(): Map<string, Outcome> {
  const lines = existsSync(kept) ? readFileSync(kept, "utf8").split("\n").filter(Boolean) : [];
  const rows = new Map(guards.map((guard) => [guard.id, rowOf(guard)]));
  const known = lines.map((line) => JSON.parse(line) as Outcome).filter(({ id, row }) => row === rows.get(id));
  return new Map(known.map((outcome) => [outcome.id, outcome]));
}

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    file: { type: "string" },
    shard: { type: "string", default: "1/1" },
    most: { type: "string" },
    together: { type: "boolean", default: false },
    again: { type: "boolean", default: false },
    document: { type: "boolean", default: false },
    stryker: { type: "boolean", default: false },
  },
});

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

if (values.stryker) {
  const packages = ["@stryker-mutator/core@9.6.1", "@stryker-mutator/vitest-runner@9.6.1", "vitest@4.1.12"];
  const given = ["--yes", ...packages.flatMap((name) => ["--package", name]), "stryker", "run"];
  const copy = scratchCopy();
  process.once("exit", copy.remove);
  execFileSync("npx", [...given, "tests/mutation/stryker.config.json"], { cwd: copy.folder, stdio: "inherit" });
} else if (values.document) {
  const page = "docs/mutation.md";
  writeFileSync(page, documentOf(guards, outcomes()));
  execFileSync("npx", ["biome", "check", "--write", page], { stdio: "ignore" });
} else {
  await run();
}

async function run(): Promise<void> {
  const { only, file, shard, again, most } = values;
  const ids = only?.split(",");
  const [part = 1, parts = 1] = shard.split("/").map(Number);
  const known = outcomes();
  const chosen = guards
    .filter(({ id }) => !ids || ids.includes(id))
    .filter((guard) => !file || guard.file.includes(file))
    .filter((_guard, i) => i % parts === part - 1)
    .filter(({ id }) => ids || again || !known.has(id))
    .slice(0, most ? Number(most) : undefined);
  if (ids && chosen.length === 0) throw new Error("no such guard");
  mkdirSync(dirname(kept), { recursive: true });
  const copy = scratchCopy();
  process.once("exit", copy.remove);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const unnoticed: Outcome[] = [];
  let count = 0;
  const tell = (outcome: Outcome): void => {
    appendFileSync(kept, `${JSON.stringify(outcome)}\n`);
    if (outcome.result !== "killed") unnoticed.push(outcome);
    count += 1;
    print(`${count}/${chosen.length} ${outcome.result} ${outcome.id} (${outcome.seconds} s) ${outcome.by}`);
  };
  for (const some of values.together ? ofDifferentFeatures(chosen) : chosen.map((guard) => [guard])) {
    for (const outcome of await runGuards(copy.folder, some)) {
      if (outcome.result === "killed" || some.length === 1) tell(outcome);
      else
        for (const alone of some.filter(({ id }) => id === outcome.id))
          (await runGuards(copy.folder, [alone])).forEach(tell);
    }
  }
  print("");
  print(`${chosen.length - unnoticed.length} of ${chosen.length} were noticed`);
  for (const { id, result, by } of unnoticed) print(`${result}: ${id} (${by})`);
  process.exitCode = unnoticed.length > 0 ? 1 : 0;
}

/** Groups whose source files, test files and features are all different; all of them name tests, or none. */
function ofDifferentFeatures(all: readonly Guard[]): Guard[][] {
  const featureOf = ({ tests: [first = ""] }: Guard) => first.split("/").slice(0, 2).join("/");
  const groups: Guard[][] = [];
  for (const guard of all) {
    const strange = (other: Guard) =>
      !shared.test(other.file) &&
      (other.only === undefined) === (guard.only === undefined) &&
      other.file !== guard.file &&
      featureOf(other) !== featureOf(guard) &&
      !other.tests.some((file) => guard.tests.includes(file));
    const group = !shared.test(guard.file) && groups.find((some) => some.length < mostTogether && some.every(strange));
    if (group) group.push(guard);
    else groups.push([guard]);
  }
  return groups;
}
