import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { nextVersion, readChangesets, sizeOf, tooSmall } from "../ops/release/changesets.js";
import type { Change } from "../ops/release/openapi-changes.js";
import { packageFiles, readManifest } from "../ops/release/package-manifests.js";

const manifests = packageFiles().map(readManifest);
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

describe("changesets", () => {
  const read = (text: string) => {
    const root = mkdtempSync(join(tmpdir(), "changesets-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    mkdirSync(join(root, ".changeset"));
    writeFileSync(join(root, ".changeset/one.md"), text);
    return readChangesets(
      root,
      manifests.map(({ name }) => name),
    );
  };

  test.each([
    [
      "a heading in place of the front matter",
      '---\n\n## "lyceum": minor\n\nText.\n',
      "missing or invalid frontmatter",
    ],
    ["an unknown size", '---\n"lyceum": huge\n---\n\nText.\n', "invalid version type"],
    ["an unknown package", '---\n"lyzeum": minor\n---\n\nText.\n', "names lyzeum, which is no package"],
    ["no package", "---\n---\n\nText.\n", "names no package and size"],
    ["no text", '---\n"lyceum": minor\n---\n', "has no text"],
  ])("are refused with %s", async (_name, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  test("count by the greatest size, whichever package has it", async () => {
    const changesets = await read('---\n"@lyceum/client": major\n"lyceum": patch\n---\n\nText.\n');
    expect(changesets).toEqual([{ id: "one", size: "major", text: "Text." }]);
    expect(nextVersion("1.4.2", sizeOf(changesets) ?? "patch")).toBe("2.0.0");
    expect([nextVersion("1.4.2", "minor"), nextVersion("1.4.2", "patch")]).toEqual(["1.5.0", "1.4.3"]);
  });

  test("are at least as great as the changes of the API", () => {
    const change = (kind: Change["kind"]): Change => ({ kind, operation: "GET /api/a", what: "remove b" });
    const needed = (size: Parameters<typeof tooSmall>[0], ...kinds: Change["kind"][]) =>
      /need a (\w+) changeset/.exec(tooSmall(size, kinds.map(change)) ?? "")?.[1];
    expect(needed("minor", "BREAKING", "compatible")).toBe("major");
    expect(needed("major", "BREAKING")).toBeUndefined();
    expect(needed("patch", "breaking (beta)")).toBe("minor");
    expect(needed("minor", "compatible")).toBeUndefined();
    expect(needed(undefined, "compatible")).toBe("minor");
    expect(needed(undefined)).toBeUndefined();
  });
});
