import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { readArguments } from "../../src/cli/arguments.js";
import { CommandError, run } from "../../src/process.js";
import { nextVersion, readChangesets, sizeOf } from "./changesets.js";
import { readDescription, releasedFile, withoutTexts } from "./openapi-changes.js";
import { packageFiles, readManifest } from "./package-manifests.js";

const usage = `npm run release:version

Gives every package the next version and moves the texts of the changesets into CHANGELOG.md.`;

const call = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: "inherit" });

async function main(): Promise<void> {
  readArguments(usage, {});
  const manifests = packageFiles().map((file) => ({ file, manifest: readManifest(file) }));
  const names = manifests.map(({ manifest }) => manifest.name);
  const changesets = await readChangesets(".", names);
  const size = sizeOf(changesets);
  if (size === undefined) throw new CommandError("There is no changeset, so there is nothing to release");
  const version = nextVersion(readManifest("package.json").version, size);

  for (const { file, manifest } of manifests) {
    manifest.version = version;
    for (const dependencies of [manifest.dependencies ?? {}, manifest.devDependencies ?? {}])
      for (const name of Object.keys(dependencies)) if (names.includes(name)) dependencies[name] = version;
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  }

  const lines = changesets.map(({ text }) => (text.startsWith("- ") ? text : `- ${text.replace(/\n(?=.)/g, "\n  ")}`));
  const entry = [`## [${version}] - ${new Date().toISOString().slice(0, 10)}`, "", ...lines, "", ""].join("\n");
  const changelog = readFileSync("CHANGELOG.md", "utf8");
  writeFileSync(
    "CHANGELOG.md",
    changelog.replace(/^(?=## \[)/m, () => entry),
  );
  for (const { id } of changesets) rmSync(`.changeset/${id}.md`);

  call("npm", "install", "--package-lock-only", "--ignore-scripts");
  call("node", ".ci/complete-lock.mjs");
  call("npm", "run", "docs");
  writeFileSync(releasedFile, `${JSON.stringify(withoutTexts(await readDescription("openapi.json")))}\n`);
}

run(main);
