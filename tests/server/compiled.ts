import { access, mkdir, rename, symlink } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { build } from "esbuild";
import { inject, vi } from "vitest";

/** These read files of their own packages. */
const external = ["pdfkit", "fontkit", "swagger-ui-dist", "lmdb", "@expo-google-fonts/*"];

/**
 * A program of TypeScript as one file of JavaScript, compiled once in a run: it starts in a third of the time that it
 * takes with its hundreds of modules.
 * @param version the folder of the sources, where they are another version's; a name of its own.
 * @returns its path, for `node`.
 */
export async function compiled(program: string, version = "."): Promise<string> {
  const root = join(inject("runFolder"), version === "." ? "compiled" : `compiled-${basename(version)}`);
  const folder = join(root, "program", basename(program, ".ts"));
  const file = join(folder, "index.mjs");
  await mkdir(join(root, "program"), { recursive: true });
  // Above it is what a source file finds above itself.
  for (const above of [root, inject("runFolder")]) {
    for (const name of ["node_modules", "package.json"]) {
      await symlink(resolve(name), join(above, name)).catch(unlessThere);
    }
  }
  const isFirst = await mkdir(folder).then(() => true, unlessThere);
  if (isFirst) {
    await build({
      ...{ entryPoints: [join(version, program)], outfile: `${file}.part`, external, bundle: true },
      ...{ platform: "node", format: "esm", target: "node20", logLevel: "error" },
      // Packages that are not modules ask for Node's own by `require`.
      banner: {
        js: 'import { createRequire as requireOf } from "node:module";const require = requireOf(import.meta.url);',
      },
    });
    await rename(`${file}.part`, file);
  }
  await vi.waitFor(() => access(file), { timeout: 60_000, interval: 50 });
  return file;
}

function unlessThere(error: NodeJS.ErrnoException): false {
  if (error.code !== "EEXIST") throw error;
  return false;
}
