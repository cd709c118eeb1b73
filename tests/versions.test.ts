import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

const inFolder = (folder: string) => readdirSync(folder).map((name) => `${folder}/${name}/package.json`);
const files = ["package.json", "client/package.json", ...inFolder("packages"), ...inFolder("examples")];
const manifests = files.map((file) => JSON.parse(readFileSync(file, "utf8")) as Manifest);
const versions = new Set(manifests.map(({ version }) => version));

test("every package has one version, and needs the other packages in that version", () => {
  const needed = manifests
    .flatMap(({ dependencies, devDependencies }) => Object.entries({ ...dependencies, ...devDependencies }))
    .filter(([name]) => name.startsWith("@lyceum/"));
  expect(needed.length).toBeGreaterThan(3);
  expect(new Set([...versions, ...needed.map(([, version]) => version)]).size).toBe(1);
});

test("the changelog begins with that version", () => {
  const [, newest] = /^## \[(.+?)\]/m.exec(readFileSync("CHANGELOG.md", "utf8")) ?? [];
  expect([...versions]).toEqual([newest]);
});

test("every package names the same versions of Node.js", () => {
  expect(new Set(manifests.map(({ engines }) => engines.node))).toEqual(new Set([">=20.19"]));
});

test("the lock file names every package with its hash", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { readonly link?: boolean; readonly integrity?: string }>;
  };
  // A link is a workspace of this repository, whose folder has an entry of its own.
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && !link);
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter(([, { integrity = "" }]) => !integrity.startsWith("sha512-"))).toEqual([]);
});
