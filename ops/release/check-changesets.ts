import { readArguments } from "../../src/cli/arguments.js";
import { CommandError, run } from "../../src/process.js";
import { readChangesets, sizeOf, tooSmall } from "./changesets.js";
import { openapiChanges, readDescription, releasedFile } from "./openapi-changes.js";
import { packageFiles, readManifest } from "./package-manifests.js";

const usage = `npm run lint:changesets

Reads the changesets, and compares their sizes with the changes of openapi.json since the last release.`;

async function main(): Promise<void> {
  readArguments(usage, {});
  const changesets = await readChangesets(
    ".",
    packageFiles().map((file) => readManifest(file).name),
  );
  const changes = openapiChanges(await readDescription(releasedFile), await readDescription("openapi.json"));
  const size = sizeOf(changesets);
  const fault = tooSmall(size, changes);
  if (fault !== undefined) throw new CommandError(fault);
  process.stdout.write(
    `${changesets.length} changesets, the greatest ${size ?? "missing"}; ${changes.length} changes of the API\n`,
  );
}

run(main);
