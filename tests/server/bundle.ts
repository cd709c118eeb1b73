import { access, mkdir, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { build } from "esbuild";

const external = [
  // These read files of their own packages.
  ...["pdfkit", "fontkit", "mongodb-memory-server", "swagger-ui-dist", "lmdb", "@expo-google-fonts/*"],
  // No module, and imported when it is first used: of such a package a bundle in pieces keeps the default export alone.
  "cloudinary",
];

/** What modules read from beside themselves. */
const read = [
  ["src/http/openapi/examples.json", "examples.json"],
  ["src/demo/media", "media"],
  ["packages/provider-emulators/web", "../web"],
] as const;

/** How long another process may take that is bundling the same program. */
const patienceMs = 60_000;

const commands = ["certificate", "migrate", "reconcile", "recount", "seed", "token", "tour"].map(
  (name) => `src/cli/${name}.ts`,
);
const ofCampaign = ["database", "shifted-clock"].map((name) => `tests/fault-campaign/system/${name}.ts`);
/** What tests start in processes of their own. */
const programs = ["src/main.ts", "src/dev.ts", ...commands, "tests/server/payment-worker.ts", ...ofCampaign];

/**
 * A program of TypeScript as JavaScript in a folder, made once together with the others; what they share are files of
 * their own. It starts in a third of the time that it takes with its hundreds of modules, and reads only what it uses.
 * @param version the folder of the sources, where they are another version's: then this program alone is made.
 * @returns its path, for `node`.
 */
export async function bundle(program: string, root: string, version = "."): Promise<string> {
  const folder = join(root, "program", "bundled");
  const file = join(folder, `${basename(program, ".ts")}.mjs`);
  const whole = join(root, "program", "whole");
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
      ...{ entryPoints: version === "." ? programs : [join(version, program)], entryNames: "[name]", outdir: folder },
      ...{ bundle: true, splitting: true, external, outExtension: { ".js": ".mjs" } },
      ...{ platform: "node", conditions: ["development"], format: "esm", target: "node20", logLevel: "error" },
      // A process that starts reads all of it.
      ...{ minifyWhitespace: true, minifySyntax: true },
      // Packages that are not modules ask for Node's own by `require`.
      banner: {
        js: 'import { createRequire as requireOf } from "node:module";const require = requireOf(import.meta.url);',
      },
    });
    await writeFile(whole, "");
  }
  for (const end = performance.now() + patienceMs; ; await pause(50)) {
    if (await isThere(whole)) return file;
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
