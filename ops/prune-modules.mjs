import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join, sep } from "node:path";

/*
 * node ops/prune-modules.mjs [folder, default "."]
 *
 * Deletes from node_modules what the server never reads: source maps, TypeScript, change logs, builds for browsers, and
 * typefaces that no certificate uses. Licences stay, and so do the README files, which hold some of them. Fails above the
 * budget.
 */

/** Megabytes on disk. */
const budget = 162;
const root = process.argv[2] ?? ".";
const modules = join(root, "node_modules");
/** Builds for browsers. */
const browserBuilds = join("node_modules", "jsonld", "dist") + sep;
const fonts = join("node_modules", "@expo-google-fonts");
const typefaces = readFileSync(join(root, "packages/certificate-pdf/dist/typefaces.js"), "utf8");
const used = new Set(typefaces.match(/[\w-]+\.ttf/g));
if (used.size === 0) throw new Error("packages/certificate-pdf/dist/typefaces.js names no typeface");

function isUnread(path) {
  const name = basename(path);
  if (/^(licen[cs]e|copying|notice|readme)/i.test(name)) return false;
  if (path.includes(fonts + sep) && /\.(ttf|png)$/.test(name)) return !used.has(name);
  if (path.includes(browserBuilds)) return true;
  return /\.(map|[cm]?ts|tsx|md|markdown)$/.test(name);
}

let size = 0;
for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  if (entry.isFile() && isUnread(path)) rmSync(path);
  else size += lstatSync(path).blocks * 512;
}
const megabytes = Math.ceil(size / 2 ** 20);
console.log(`node_modules: ${megabytes} MB of ${budget}`);
if (megabytes > budget) process.exitCode = 1;
