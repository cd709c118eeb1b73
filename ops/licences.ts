import { existsSync, readFileSync } from "node:fs";

/** `npm run licences` counts the licences of the production packages. It exits with 1 for an unknown licence. */
const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, { dev?: boolean; devOptional?: boolean; link?: boolean; license?: string }>;
};

const permissive =
  /^\(?(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|OFL-1\.1|Unlicense|Python-2\.0|Zlib)\b/;

const packages = Object.entries(lock.packages).filter(
  ([path, { dev, link }]) => path.startsWith("node_modules/") && !dev && !link,
);
/** Packages that state their licence only in a file. */
const byFile: Readonly<Record<string, string>> = { "node_modules/png-js": "MIT" };

/** Reads the package when the lock file has no licence. Packages of other platforms are not installed. */
function licenceOf(path: string): string | undefined {
  if (!existsSync(`${path}/package.json`)) return undefined;
  const { license, licenses } = JSON.parse(readFileSync(`${path}/package.json`, "utf8"));
  return license ?? licenses?.[0]?.type ?? byFile[path] ?? "unknown";
}

const counts = new Map<string, string[]>();
for (const [path, { license = licenceOf(path) }] of packages) {
  if (license === undefined) continue;
  counts.set(license, [...(counts.get(license) ?? []), path.replace(/^.*node_modules\//, "")]);
}
for (const [license, names] of [...counts].sort((a, b) => b[1].length - a[1].length)) {
  const shown = permissive.test(license) ? "" : `  ← ${names.join(", ")}`;
  process.stdout.write(`${String(names.length).padStart(5)} ${license}${shown}\n`);
}
if ([...counts.keys()].some((license) => !permissive.test(license))) process.exitCode = 1;
