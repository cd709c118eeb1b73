import { parseConfig } from "../config.js";
import { openDatabase } from "../db/connection.js";
import { createDb } from "../db/db.js";
import { environment, run } from "../process.js";
import { missingDocuments } from "../services/recount/missing.js";
import { recount } from "../services/recount/recount.js";
import { readArguments } from "./arguments.js";
import { joinDevelopmentServer } from "./development-server.js";

/**
 * `npm run recount -- [--fix]` compares counters with a recount, while servers run, and prints differences.
 * The exit code is 1 when a difference is left.
 */
async function main(): Promise<void> {
  const { fix = false } = readArguments("npm run recount [-- --fix]", { fix: { type: "boolean" } }).values;
  const env = environment();
  await joinDevelopmentServer(env);
  const connection = await openDatabase(parseConfig(env).mongodbUri, { patient: true });
  const compared = new Map<string, number>();
  let wrong = 0;
  let open = 0;
  const reportDifference = (line: string): void => {
    wrong += 1;
    process.stdout.write(`${line}\n`);
  };
  try {
    const db = createDb(connection);
    const progress = (collection: string, count: number) => compared.set(collection, count);
    for await (const { collection, id, field, stored, counted, fixed } of recount(db, { fix, progress })) {
      if (!fixed) open += 1;
      reportDifference(
        `${collection} ${id} ${field}: stored ${stored}, counted ${counted}${fixed ? ", put right" : ""}`,
      );
    }
    for await (const missing of missingDocuments(db)) {
      open += 1;
      reportDifference(missing);
    }
  } finally {
    await connection.close();
  }
  const counts = [...compared].map(([collection, count]) => `${collection} ${count}`).join(", ");
  process.stdout.write(`compared: ${counts || "nothing"}\ndifferences: ${wrong}${fix ? `, open: ${open}` : ""}\n`);
  if (open > 0) process.exitCode = 1;
}

run(main);
