import { makeUnrenderedDue } from "../models/courses/course-queries.js";
import { CommandError, run } from "../process.js";
import { countNumberedEvents } from "../services/events/count-events.js";
import { giveSlugs, pendingMigrations, runMigrations } from "../services/migrations/migrations.js";
import { readArguments } from "./arguments.js";
import { withDatabase } from "./with-database.js";

/** `npm run migrate -- [--dry-run]` runs the pending migrations while servers run. The dry run only lists them. */
async function main(): Promise<void> {
  const { values } = readArguments("npm run migrate [-- --dry-run]", { "dry-run": { type: "boolean" } });
  const isDryRun = values["dry-run"] === true;
  await withDatabase(async (db) => {
    const names = isDryRun ? await pendingMigrations(db) : await runMigrations(db);
    if (!names) throw new CommandError("Another process is migrating the database: run this again");
    // An older version may have saved courses, and numbered events, after the migrations had run.
    if (!isDryRun) {
      await countNumberedEvents(db);
      await makeUnrenderedDue(db);
      await giveSlugs(db);
    }
    const lines = names.map((name) => `${name}: ${isDryRun ? "pending" : "done"}`);
    process.stdout.write(`${lines.join("\n") || "nothing to do"}\n`);
  });
}

run(main);
