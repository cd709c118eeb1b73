import { parseConfig } from "../config.js";
import { openDatabase } from "../db/connection.js";
import { createDb } from "../db/db.js";
import { pendingMigrations, runMigrations } from "../db/migrations.js";
import { makeUnrenderedDue } from "../models/courses/course-queries.js";
import { CommandError, environment, run } from "../process.js";
import { readArguments } from "./arguments.js";
import { joinDevelopmentServer } from "./development-server.js";

/** `npm run migrate -- [--dry-run]` runs the pending migrations while servers run. The dry run only lists them. */
async function main(): Promise<void> {
  const { values } = readArguments("npm run migrate [-- --dry-run]", { "dry-run": { type: "boolean" } });
  const isDryRun = values["dry-run"] === true;
  const env = environment();
  await joinDevelopmentServer(env);
  const connection = await openDatabase(parseConfig(env).mongodbUri, { patient: true });
  try {
    const db = createDb(connection);
    const names = isDryRun ? await pendingMigrations(db) : await runMigrations(db);
    if (!names) throw new CommandError("Another process is migrating the database: run this again");
    // An older version may have saved texts after the migration had run.
    if (!isDryRun) await makeUnrenderedDue(db);
    const lines = names.map((name) => `${name}: ${isDryRun ? "pending" : "done"}`);
    process.stdout.write(`${lines.join("\n") || "nothing to do"}\n`);
  } finally {
    await connection.close();
  }
}

run(main);
