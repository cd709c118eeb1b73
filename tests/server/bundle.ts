import { access, mkdir, rename, symlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { build } from "esbuild";

/** These read files of their own packages. */
const external = ["pdfkit", "fontkit", "mongodb-memory-server", "swagger-ui-dist", "lmdb", "@expo-google-fonts/*"];

/** What modules read from beside themselves. */
const read = [
  ["src/http/openapi/examples.json", "examples.json"],
  ["src/demo/media", "media"],
  ["packages/provider-emulators/web", "../web"],
] as const;

/** How long another process may take that is bundling the same program. */
const patienceMs = 60_000;

/**
 * A program of TypeScript as one file of JavaScript in a folder, made once: it starts in a third of the time that it
 * takes with its hundreds of modules.
 * @param version the folder of the sources.
 * @returns its path, for `node`.
 */
export async function bundle(program: string, root: string, version = "."): Promise<string> {
  const folder = join(root, "program", basename(program, ".ts"));
  const file = join(folder, "index.mjs");
  await mkdir(join(root, "program"), { recursive: true });
  // Above it is what a source file finds above itself.
  for (const above of [root, dirname(root)]) {
    for (const name of ["node_modules", "package.json"]) {
      await symlink(resolve(name), join(above, name)).catch(unlessThere);
    }
  }
  const isFirst = await mkdir(folder).then(() => true, unlessThere);
  if (isFirst) {
    for (const [source, place] of read) await symlink(resolve(version, source), join(folder, place)).catch(unlessThere);
    await build({
      ...{ entryPoints: [join(version, program)], outfile: `${file}.part`, external, bundle: true },
      ...{ platform: "node", format: "esm", target: "node20", logLevel: "error" },
      // A process that starts reads all of it.
      ...{ minifyWhitespace: true, minifySyntax: true },
      // Packages that are not modules ask for Node's own by `require`.
      banner: {
        js: 'import { createRequire as requireOf } from "node:module";const require = requireOf(import.meta.url);',
      },
    });
    await rename(`${file}.part`, file);
  }
  for (const end = performance.now() + patienceMs; ; await pause(50)) {
    if (await isThere(file)) return file;
    if (performance.now() > end) throw new Error(`${program} was not bundled`);
  }
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

function unlessThere(error: NodeJS.ErrnoException): false {
  if (error.code !== "EEXIST") throw error;
  return false;
}
