import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { timesLonger } from "../longer-runs.js";
import { compiled } from "../server/compiled.js";
import { runCampaign } from "./run-campaign.js";
import { scheduleOf } from "./schedule.js";
import { livesOf } from "./workload/life.js";

test("a seed decides which faults strike when, and what learners do", () => {
  const of = (seed: number) => scheduleOf({ seed, ms: 60_000, everyMs: 1_000, longestMs: 10_000 });
  expect(of(7)).toEqual(of(7));
  expect(of(7)).not.toEqual(of(8));
  expect(livesOf(7, 20)).toEqual(livesOf(7, 20));
  expect(livesOf(7, 20)).not.toEqual(livesOf(8, 20));
});

/** Runs in `npm run test:long`. `npm run campaign` runs for minutes and with other seeds. */
const campaign = test.runIf(timesLonger > 1);

campaign("learners live on two servers while faults strike, and every promise is kept", async () => {
  // A database with a broken promise is kept, so a retry needs another one.
  const databaseName = `campaign_test_${randomUUID().slice(0, 8)}`;
  const { promises, defects, tally } = await runCampaign({
    ...{ seed: 20_261_122, minutes: 0.12, everyMs: 600, longestMs: 900, learners: 6, settleMs: 100_000 },
    ...{ folder: join(inject("runFolder"), databaseName), compile: compiled, databaseName },
  });
  const broken = promises.flatMap(({ name, broken }) => broken.map((line) => `${name}: ${line}`));
  expect({ broken, defects }).toEqual({ broken: [], defects: [] });
  expect(tally.answered).toBeGreaterThan(0);
});
