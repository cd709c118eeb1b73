import { readFileSync } from "node:fs";
import { relative } from "node:path";

/**
 * Prints the test files with a failed test from Vitest's JSON report. It prints nothing when the run failed for another
 * reason.
 */

const { testResults, success } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const failed = testResults.filter(({ status }) => status === "failed");
if (!success) for (const { name } of failed) console.log(relative(process.cwd(), name));
