import { readArguments } from "#server/cli/arguments.js";
import { withDatabase } from "#server/cli/with-database.js";
import { run } from "#server/process.js";
import { eventDifferences } from "./event-differences.js";

/** `npm run recount:events` prints facts without their events, and events without their fact. Exit code 1 for any. */
async function main(): Promise<void> {
  readArguments("npm run recount:events", {});
  let differences = 0;
  await withDatabase(async (db, config) => {
    for await (const line of eventDifferences(db, config)) {
      differences += 1;
      process.stdout.write(`${line}\n`);
    }
  });
  process.stdout.write(`differences: ${differences}\n`);
  if (differences > 0) process.exitCode = 1;
}

run(main);
