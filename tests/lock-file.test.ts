import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Entry {
  readonly link?: boolean;
  readonly integrity?: string;
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Entry> };

test("the lock file names every package with its hash", () => {
  // A link is a workspace of this repository, whose folder has an entry of its own.
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && !link);
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter(([, { integrity = "" }]) => !integrity.startsWith("sha512-")).map(([path]) => path)).toEqual(
    [],
  );
});
