import { existsSync, readFileSync } from "node:fs";
import { readArguments } from "../src/cli/arguments.js";

const usage = `npm run licences

Counts the licences of the production packages, and names packages that set a condition.
Ends with 1 for an unknown licence.`;
const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, { dev?: boolean; devOptional?: boolean; link?: boolean; license?: string }>;
};

const permissive =
  /^\(?(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|OFL-1\.1|Unlicense|Python-2\.0|PSF-2\.0|Zlib)\b/;
/** Only changed files of such a package must be published. The packages are used unchanged. */
const forUnchangedFiles = /^(MPL-2\.0|LGPL-3\.0-or-later)$/;

readArguments(usage, {});
const packages = Object.entries(lock.packages).filter(
  ([path, { dev, link }]) => path.startsWith("node_modules/") && !dev && !link,
);
/** Packages that state their licence only in a file. */
const byFile: Readonly<Record<string, string>> = {
  "node_modules/png-js": "MIT",
  // Contexts are under the licence of W3C's documents.
  "node_modules/@digitalbazaar/credentials-context": "BSD-3-Clause",
};

/** Reads the package when the lock file has no licence. Packages of other platforms are not installed. */
function licenceOf(path: string): string | undefined {
  if (!existsSync(`${path}/package.json`)) return undefined;
  const { license, licenses } = JSON.parse(readFileSync(`${path}/package.json`, "utf8"));
  return license ?? licenses?.[0]?.type ?? "unknown";
}

const counts = new Map<string, string[]>();
for (const [path, { license: stated = licenceOf(path) }] of packages) {
  const license = byFile[path] ?? stated;
  if (license === undefined) continue;
  counts.set(license, [...(counts.get(license) ?? []), path.replace(/^.*node_modules\//, "")]);
}
for (const [license, names] of [...counts].sort((a, b) => b[1].length - a[1].length)) {
  const shown = permissive.test(license) ? "" : `  ← ${names.join(", ")}`;
  process.stdout.write(`${String(names.length).padStart(5)} ${license}${shown}\n`);
}
const unknown = [...counts.keys()].filter((one) => !permissive.test(one) && !forUnchangedFiles.test(one));
if (unknown.length > 0) {
  process.stdout.write(`Unknown: ${unknown.join(", ")}\n`);
  process.exitCode = 1;
}
