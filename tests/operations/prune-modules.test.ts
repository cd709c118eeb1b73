import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

test("the image loses what the server never reads, and keeps licences and the typefaces in use", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lyceum-prune-"));
  const typefaces = await readFile("packages/certificate-pdf/src/typefaces.ts", "utf8");
  const [used = ""] = typefaces.match(/@expo-google-fonts[^"]+\.ttf/) ?? [];
  const kept = [used, "a/index.js", "a/LICENSE.md", "a/README.md", "a/data.json", "a/font.ttf"];
  const deleted = [`${dirname(used)}/Other_700Bold.ttf`, "a/index.js.map", "a/index.d.ts", "a/CHANGELOG.md"];
  const write = async (path: string, content = "") => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  await write("packages/certificate-pdf/dist/typefaces.js", typefaces);
  for (const path of [...kept, ...deleted]) await write(join("node_modules", path));
  expect(execFileSync("node", ["ops/prune-modules.mjs", folder], { encoding: "utf8" })).toMatch(
    /^node_modules: \d+ MB/,
  );
  const left = await readdir(join(folder, "node_modules"), { recursive: true, withFileTypes: true });
  const files = left.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
  expect(files.sort()).toEqual(kept.map((path) => join(folder, "node_modules", path)).sort());
  await rm(folder, { recursive: true });
});
