import { type Config, parseConfig } from "../config.js";
import { openDatabase } from "../db/connection.js";
import { createDb, type Db } from "../db/db.js";
import { environment } from "../process.js";
import { joinDevelopmentServer } from "./development-server.js";

/** Does the work of a command on the configured database, or on that of the running development server. */
export async function withDatabase(work: (db: Db, config: Config) => Promise<void>): Promise<void> {
  const env = environment();
  await joinDevelopmentServer(env);
  const config = parseConfig(env);
  const connection = await openDatabase(config.mongodbUri, { patient: true });
  try {
    await work(createDb(connection), config);
  } finally {
    await connection.close();
  }
}
