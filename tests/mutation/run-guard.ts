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

/** Takes one guard away in a copy of the tree, runs its tests there and puts it back. */
export async function runGuard(folder: string, guard: Guard): Promise<Outcome> {
  const path = join(folder, "src", guard.file);
  const source = readFileSync(path, "utf8");
  const startedAt = performance.now();
  const outcome = (result: Outcome["result"], by: string, said = ""): Outcome => {
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    return { id: guard.id, result, by, said, seconds, at: new Date().toISOString(), row: rowOf(guard) };
  };
  if (source.split(guard.find).length !== 2) return outcome("unclear", "the text does not occur once");
  const mutated = source.replace(guard.find, () => guard.replace);
  try {
    transformSync(mutated, { loader: "ts" });
  } catch (error) {
    return outcome("unclear", `does not compile: ${String(error).split("\n", 2)[1] ?? ""}`);
  }
  writeFileSync(path, mutated);
  try {
    const { failed, ran, late } = await runTests(folder, guard);
    if (late) return outcome("killed", "the tests did not end");
    if (failed) return outcome("killed", failed.name, failed.said);
    return ran === 0 ? outcome("unclear", "no test ran") : outcome("survived", `${ran} tests passed`);
  } finally {
    writeFileSync(path, source);
  }
}

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

/** All but the file without the guard is transformed once for all runs. */
const quick = ["--experimental.fsModuleCache"];

async function runTests(
  folder: string,
  { tests, only }: Guard,
): Promise<{ failed?: { name: string; said: string } | undefined; ran: number; late: boolean }> {
  const output = join(folder, "mutation-report.json");
  rmSync(output, { force: true });
  const files = tests.map((file) => `tests/${file}`);
  const named = only === undefined ? [] : ["-t", only.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")];
  const given = ["run", ...files, ...named, "--bail", "1", ...quick, "--reporter", "json", "--outputFile", output];
  const late = await ended(spawn(process.execPath, [vitest, ...given], { cwd: folder, stdio: "ignore" }));
  let report: Report;
  try {
    report = JSON.parse(readFileSync(output, "utf8")) as Report;
  } catch {
    return { ran: 0, late };
  }
  const failures = report.testResults.flatMap(({ name, status, message = "", assertionResults }) => {
    const file = name.slice(name.indexOf("tests/"));
    const own = assertionResults
      .filter((one) => one.status === "failed")
      .map(({ fullName, failureMessages }) => ({
        name: `${file}: ${fullName}`,
        said: failureMessages.join("\n").slice(0, 400),
      }));
    // A file whose own set-up fails has no failed test.
    return own.length > 0 || status !== "failed" ? own : [{ name: file, said: message.slice(0, 400) }];
  });
  return { failed: failures[0], ran: report.numPassedTests, late };
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
