import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { transformSync } from "esbuild";
import type { Guard } from "./guard.js";

/**
 * `killed`: a test failed without the guard. `survived`: none did. `unclear`: no test could be run, or the code without
 * the guard does not compile.
 */
export interface Outcome {
  readonly id: string;
  readonly result: "killed" | "survived" | "unclear";
  /** The test that failed; otherwise what happened. */
  readonly by: string;
  /** What the test said. */
  readonly said: string;
  readonly seconds: number;
  readonly at: string;
  /** Of the guard's row: an outcome is one of that row only. */
  readonly row: string;
}

/** Changes with what is taken away and with the tests. */
export const rowOf = ({ file, find, replace, tests, only }: Guard): string =>
  hash("sha256", JSON.stringify([file, find, replace, tests, only])).slice(0, 12);

/** A run that takes longer was stopped by the missing guard. */
const longestMs = 240_000;
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");

/**
 * Takes guards away in a copy of the tree, runs their tests there and puts them back. Several at once are of different
 * features: each is judged by its own tests alone.
 */
export async function runGuards(folder: string, guards: readonly Guard[]): Promise<Outcome[]> {
  const startedAt = performance.now();
  const outcome = (guard: Guard, result: Outcome["result"], by: string, said = ""): Outcome => {
    const seconds = Math.round((performance.now() - startedAt) / (100 * guards.length)) / 10;
    return { id: guard.id, result, by, said, seconds, at: new Date().toISOString(), row: rowOf(guard) };
  };
  const sources = new Map<string, string>();
  const unclear: Outcome[] = [];
  for (const guard of guards) {
    const path = join(folder, "src", guard.file);
    const source = readFileSync(path, "utf8");
    const [mutated, fault] = withoutGuard(source, guard);
    if (fault) unclear.push(outcome(guard, "unclear", fault));
    else {
      sources.set(path, source);
      writeFileSync(path, mutated);
    }
  }
  const away = guards.filter(({ id }) => !unclear.some((one) => one.id === id));
  try {
    const { failures, ran, late } = await runTests(folder, away);
    const judged = away.map((guard) => {
      const failed = failures.find((failure) => isOf(guard, failure));
      if (failed) return outcome(guard, "killed", `${failed.file}: ${failed.test}`, failed.said);
      if (late) return outcome(guard, "killed", "the tests did not end");
      return ran === 0 ? outcome(guard, "unclear", "no test ran") : outcome(guard, "survived", `${ran} tests passed`);
    });
    return [...unclear, ...judged];
  } finally {
    for (const [path, source] of sources) writeFileSync(path, source);
  }
}

/** @returns the source without the guard, and why that is no program if it is none. */
function withoutGuard(source: string, { find, replace }: Guard): [mutated: string, fault?: string] {
  if (source.split(find).length !== 2) return ["", "the text does not occur once"];
  const mutated = source.replace(find, () => replace);
  try {
    transformSync(mutated, { loader: "ts" });
    return [mutated];
  } catch (error) {
    return ["", `does not compile: ${String(error).split("\n", 2)[1] ?? ""}`];
  }
}

interface Failed {
  readonly file: string;
  readonly test: string;
  readonly said: string;
}

const isOf = ({ tests, only }: Guard, { file, test }: Failed): boolean =>
  tests.some((one) => file === `tests/${one}`) && (only === undefined || test === "" || test.includes(only));

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** All but the files without their guards are transformed once for all runs. */
const quick = ["--experimental.fsModuleCache"];

async function runTests(
  folder: string,
  guards: readonly Guard[],
): Promise<{ failures: Failed[]; ran: number; late: boolean }> {
  const output = join(folder, "mutation-report.json");
  rmSync(output, { force: true });
  const files = guards.flatMap(({ tests }) => tests.map((file) => `tests/${file}`));
  const names = guards.map(({ only }) => only?.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const named = names.includes(undefined) ? [] : ["-t", names.join("|")];
  const soon = guards.length === 1 ? ["--bail", "1"] : [];
  const given = ["run", ...files, ...named, ...soon, ...quick, "--reporter", "json", "--outputFile", output];
  const late = await ended(spawn(process.execPath, [vitest, ...given], { cwd: folder, stdio: "ignore" }));
  let report: Report;
  try {
    report = JSON.parse(readFileSync(output, "utf8")) as Report;
  } catch {
    return { failures: [], ran: 0, late };
  }
  const failures = report.testResults.flatMap(({ name, status, message = "", assertionResults }): Failed[] => {
    const file = name.slice(name.lastIndexOf("/tests/") + 1);
    const own = assertionResults
      .filter((one) => one.status === "failed")
      .map((one) => ({ file, test: one.fullName, said: one.failureMessages.join("\n").slice(0, 400) }));
    // A file whose own set-up fails has no failed test.
    return own.length > 0 || status !== "failed" ? own : [{ file, test: "", said: message.slice(0, 400) }];
  });
  return { failures, ran: report.numPassedTests, late };
}

/** @returns whether it had to be stopped. */
function ended(child: ReturnType<typeof spawn>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, longestMs);
    child.once("error", reject);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve(late);
    });
  });
}
