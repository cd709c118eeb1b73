import { spawnSync } from "node:child_process";

/** Runs the random and exhaustive tests for longer than `npm test`. The environment can override each variable. */
const longer = { CAMPAIGN: "10", PLANNER_RUNS: "300", HISTORIES: "200", KILLS: "100", CROSS_CHECK_RUNS: "2000" };

const files = [
  ...["planner", "interleaving", "durability", "conformance", "histories"].map(
    (name) => `packages/embedded-mongo/tests/${name}.test.ts`,
  ),
  "tests/fault-campaign/campaign.test.ts",
  "tests/webhooks/razorpay-sequences.test.ts",
];

const vitest = ["node_modules/vitest/vitest.mjs", "run", "--testTimeout=3600000", ...files];
const { status } = spawnSync(process.execPath, vitest, { stdio: "inherit", env: { ...longer, ...process.env } });
process.exitCode = status ?? 1;
