import { readArguments } from "#server/cli/arguments.js";
import { withDatabase } from "#server/cli/with-database.js";
import { run } from "#server/process.js";
import { counterDifferences } from "./counter-differences.js";
import { missingDocuments } from "./missing-documents.js";

/**
 * `npm run recount -- [--fix]` compares counters with a recount, while servers run, and prints differences.
 * The exit code is 1 when a difference is left.
 */
async function main(): Promise<void> {
  const { fix = false } = readArguments("npm run recount [-- --fix]", { fix: { type: "boolean" } }).values;
  const compared = new Map<string, number>();
  let wrong = 0;
  let open = 0;
  const report = (line: string, fixed = false): void => {
    wrong += 1;
    if (!fixed) open += 1;
    process.stdout.write(`${line}${fixed ? ", put right" : ""}\n`);
  };
  await withDatabase(async (db) => {
    const progress = (collection: string, count: number) => compared.set(collection, count);
    for await (const { collection, id, field, stored, counted, fixed } of counterDifferences(db, { fix, progress })) {
      report(`${collection} ${id} ${field}: stored ${stored}, counted ${counted}`, fixed);
    }
    for await (const missing of missingDocuments(db)) report(missing);
  });
  const counts = [...compared].map(([collection, count]) => `${collection} ${count}`).join(", ");
  process.stdout.write(`compared: ${counts || "nothing"}\ndifferences: ${wrong}${fix ? `, open: ${open}` : ""}\n`);
  if (open > 0) process.exitCode = 1;
}

run(main);
