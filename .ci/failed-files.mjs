import { readFileSync } from "node:fs";
import { relative } from "node:path";

/* Prints the files with a test that failed, a line each, from Vitest's JSON report. None when the run failed otherwise. */

const { testResults, success } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const failed = testResults.filter(({ status }) => status === "failed");
if (!success) for (const { name } of failed) console.log(relative(process.cwd(), name));
