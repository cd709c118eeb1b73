import { readArguments } from "../../src/cli/arguments.js";
import { run } from "../../src/process.js";
import { openapiChanges, readDescription, releasedFile } from "./openapi-changes.js";

const usage = `npm run diff:openapi [-- <base.json> [<head.json>]]

Compares openapi.json, or another description, with an earlier one: that of the last release by default.
Ends with 1 when a change to a stable operation can break a client. A beta operation may change.`;

async function main(): Promise<void> {
  const [base = releasedFile, head = "openapi.json"] = readArguments(usage, {}, 2).positionals;
  const changes = openapiChanges(await readDescription(base), await readDescription(head));
  for (const { kind, operation, what } of changes) process.stdout.write(`${kind}: ${operation}: ${what}\n`);
  const broken = changes.filter(({ kind }) => kind === "BREAKING").length;
  process.stdout.write(`${broken} breaking changes of stable operations\n`);
  process.exitCode = broken > 0 ? 1 : 0;
}

run(main);
