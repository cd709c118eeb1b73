import { backgroundJobs } from "../../src/jobs/index.js";
import type { TestServer } from "./test-server.js";

/** Runs a background job to its end, without its lease. @returns what it did; undefined when it did nothing. */
export async function runJob(
  { deps }: Pick<TestServer, "deps">,
  name: string,
  signal = new AbortController().signal,
): Promise<string | undefined> {
  const job = backgroundJobs(deps).find((one) => one.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  return job.run(signal);
}
