import { readArguments } from "../../src/cli/arguments.js";
import { joinDevelopmentServer } from "../../src/cli/development-server.js";
import { parseConfig } from "../../src/config.js";
import { openDatabase } from "../../src/db/connection.js";
import { createDb } from "../../src/db/db.js";
import { environment, run } from "../../src/process.js";
import { eventDifferences } from "./event-differences.js";

/** `npm run recount:events` prints facts without their events, and events without their fact. Exit code 1 for any. */
async function main(): Promise<void> {
  readArguments("npm run recount:events", {});
  const env = environment();
  await joinDevelopmentServer(env);
  const config = parseConfig(env);
  const connection = await openDatabase(config.mongodbUri, { patient: true });
  let differences = 0;
  try {
    for await (const line of eventDifferences(createDb(connection), config)) {
      differences += 1;
      process.stdout.write(`${line}\n`);
    }
  } finally {
    await connection.close();
  }
  process.stdout.write(`differences: ${differences}\n`);
  if (differences > 0) process.exitCode = 1;
}

run(main);
