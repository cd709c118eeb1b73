import { access, mkdir, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { build } from "esbuild";

const external = [
  // src/db/driver-faults.ts mends the database driver in the folder of Mongoose.
  "mongoose",
  // These packages read their own files.
  ...["pdfkit", "fontkit", "mongodb-memory-server", "swagger-ui-dist", "lmdb", "sharp", "@expo-google-fonts/*"],
  // These CommonJS packages are imported on use. A split bundle would keep only their default exports.
  ...["chardet", "cloudinary", "svix", "umzug", "undici"],
];

/** Files that modules read from their own folder. */
const siblingFiles = [
  ["src/http/openapi/examples.json", "examples.json"],
  ["src/http/openapi/reference", "reference"],
  ["src/services/certificates/verification-page", "verification-page"],
  ["src/services/public-page", "public-page"],
  ["src/services/mail/template", "template"],
  ["development/demo/media", "media"],
  ["packages/provider-emulators/web", "../web"],
  ["development/console", "console"],
] as const;

/** Limit of the wait for another process that builds the same bundle. */
const maxWaitMs = 60_000;

const commands = [
  "src/cli/migrate.ts",
  ...["certificate", "compare-events/compare-events", "reconcile/reconcile", "recount/recount"].map(
    (name) => `ops/${name}.ts`,
  ),
  ...["seed", "token", "tour"].map((name) => `development/cli/${name}.ts`),
];
const campaignPrograms = ["database", "shifted-clock"].map((name) => `tests/fault-campaign/system/${name}.ts`);
/** The programs that tests start as processes. */
const programs = ["src/main.ts", "development/dev.ts", ...commands, ...campaignPrograms];

/**
 * Bundles all programs once, with shared chunks, and returns the JavaScript file of one. A bundle starts in a third of
 * the time that its hundreds of modules need.
 */
export async function bundle(program: string, root: string): Promise<string> {
  const folder = join(root, "program", "bundled");
  const file = join(folder, `${basename(program, ".ts")}.mjs`);
  const whole = join(root, "program", "whole");
  await mkdir(join(root, "program"), { recursive: true });
  // A bundled file must find the files above a source file.
  for (const above of [root, dirname(root)]) {
    for (const name of ["node_modules", "package.json"]) {
      await symlink(resolve(name), join(above, name)).catch(ignoreExisting);
    }
  }
  const isFirst = await mkdir(folder).then(() => true, ignoreExisting);
  if (isFirst) {
    for (const [source, place] of siblingFiles)
      await symlink(resolve(source), join(folder, place)).catch(ignoreExisting);
    await build({
      ...{ entryPoints: programs, entryNames: "[name]", outdir: folder },
      ...{ bundle: true, splitting: true, external, outExtension: { ".js": ".mjs" } },
      ...{ platform: "node", conditions: ["lyceum-source"], format: "esm", target: "node20", logLevel: "error" },
      ...{ minifyWhitespace: true, minifySyntax: true },
      // Packages in CommonJS load Node's modules by `require`.
      banner: {
        js: 'import { createRequire as requireOf } from "node:module";const require = requireOf(import.meta.url);',
      },
    });
    await writeFile(whole, "");
  }
  for (const end = performance.now() + maxWaitMs; ; await pause(50)) {
    if (await isThere(whole)) return file;
    if (performance.now() > end) throw new Error(`${program} was not bundled`);
  }
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

function ignoreExisting(error: NodeJS.ErrnoException): false {
  if (error.code !== "EEXIST") throw error;
  return false;
}
