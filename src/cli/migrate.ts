import { parseConfig } from "../config.js";
import { openDatabase } from "../db/connection.js";
import { createDb } from "../db/db.js";
import { migrations } from "../db/migrations/migrations.js";
import { pendingMigrations, runMigrations } from "../db/migrations/run-migrations.js";
import { CommandError, environment, run } from "../process.js";
import { joinDevelopmentServer } from "./development-server.js";

/**
 * `npm run migrate -- [--dry-run]` runs the pending migrations while servers run.
 * The dry run lists the pending migrations and changes nothing.
 */
async function main(): Promise<void> {
  const unknown = process.argv.slice(2).filter((argument) => argument !== "--dry-run");
  if (unknown.length > 0) throw new CommandError(`There is no option ${unknown.join(" ")}: migrate [--dry-run]`);
  const env = environment();
  await joinDevelopmentServer(env);
  const connection = await openDatabase(parseConfig(env).mongodbUri, { patient: true });
  try {
    const db = createDb(connection);
    if (process.argv.includes("--dry-run")) {
      const pending = await pendingMigrations(db, migrations);
      const lines = pending.map(({ name, about, remaining }) => `${name}: ${about}; ${remaining} documents`);
      process.stdout.write(`${lines.join("\n") || "nothing to do"}\n`);
      return;
    }
    const done = await runMigrations(db, migrations, (name, changed) =>
      process.stderr.write(`${name}: ${changed} documents changed\n`),
    );
    if (!done) throw new CommandError("Another process runs the migrations: try again when it has ended");
    process.stdout.write(`${done.map((name) => `${name}: done`).join("\n") || "nothing to do"}\n`);
  } finally {
    await connection.close();
  }
}

run(main);
