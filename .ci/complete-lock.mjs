// Completes package-lock.json after `npm install`. npm can leave out optional packages of other platforms, and then
// `npm ci` fails on those platforms. Each added entry names version, platform and hash, so that `npm ci` skips or
// verifies the package. Run: node .ci/complete-lock.mjs
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const file = "package-lock.json";
const lock = JSON.parse(readFileSync(file, "utf8"));
const { packages } = lock;
const systems = ["android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const processors = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64", "wasm32"];

/** True when the lock holds the package at a place where `from` finds it. */
function isLocked(name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/node_modules/"), 0))) {
    if (packages[`${folder ? `${folder}/` : ""}node_modules/${name}`]) return true;
    if (!folder) return false;
  }
}

/** Reads the hash of a package from the registry. npm fails when the registry does not have the package. */
function integrityOf(name, version) {
  const integrity = execFileSync("npm", ["view", `${name}@${version}`, "dist.integrity"], { encoding: "utf8" }).trim();
  if (!integrity.startsWith("sha512-")) throw new Error(`no hash: ${name} ${version}`);
  return integrity;
}

let added = 0;
for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (isLocked(name, path)) continue;
    const words = name.split("/").at(-1).split("-");
    const os = systems.find((system) => words.includes(system));
    const cpu = processors.find((processor) => words.includes(processor));
    if (!/^\d/.test(version) || !os || !cpu) throw new Error(`no exact version or platform: ${name} ${version}`);
    const libc = os === "linux" ? words.find((word) => /^(gnu|musl)/.test(word)) : undefined;
    packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      ...(dev ? { dev } : {}),
      ...(libc ? { libc: [libc.startsWith("musl") ? "musl" : "glibc"] } : {}),
      optional: true,
      os: [os],
    };
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
// Remove the addresses, because they depend on the registry. A workspace entry keeps its path in this folder.
for (const entry of Object.values(packages)) if (!entry.link) delete entry.resolved;
for (const [path, entry] of Object.entries(packages)) {
  const [, name] = path.split(/^(?:.*\/)?node_modules\//);
  if (name && !entry.link) entry.integrity ??= integrityOf(name, entry.version);
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} entries added`);
