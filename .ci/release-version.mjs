// Gives every package the next version and moves the texts of the changesets into CHANGELOG.md.
// Run: npm run release:version
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";

const run = (command, ...args) => execFileSync(command, args, { stdio: "inherit" });
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const write = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

const status = "changeset-status.json";
run("npx", "changeset", "status", "--output", status);
const { changesets } = read(status);
rmSync(status);
if (changesets.length === 0) throw new Error("There is no changeset, so there is nothing to release");
run("npx", "changeset", "version");

// Changesets leaves the root package alone.
const workspaces = JSON.parse(execFileSync("npm", ["query", ".workspace"], { encoding: "utf8" }));
const manifests = ["package.json", ...workspaces.map(({ location }) => `${location}/package.json`)];
const { version } = read("client/package.json");
for (const file of manifests) {
  const manifest = read(file);
  manifest.version = version;
  for (const dependencies of [manifest.dependencies, manifest.devDependencies]) {
    for (const name of Object.keys(dependencies ?? {})) if (name.startsWith("@lyceum/")) dependencies[name] = version;
  }
  write(file, manifest);
}

const lines = changesets.map(({ summary }) => `- ${summary.trim().replaceAll("\n", "\n  ")}`);
const entry = [`## [${version}] - ${new Date().toISOString().slice(0, 10)}`, "", ...lines, "", ""].join("\n");
const changelog = readFileSync("CHANGELOG.md", "utf8");
writeFileSync(
  "CHANGELOG.md",
  changelog.replace(/^(?=## \[)/m, () => entry),
);

run("npm", "install", "--package-lock-only", "--ignore-scripts");
run("node", ".ci/complete-lock.mjs");
run("npm", "run", "docs");
