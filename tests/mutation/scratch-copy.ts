import { execFileSync } from "node:child_process";
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

export interface ScratchCopy {
  readonly folder: string;
  remove(): void;
}

/** Copies the working tree, with what is not committed, beside links to what is installed. */
export function scratchCopy(root = process.cwd()): ScratchCopy {
  const folder = mkdtempSync(join(tmpdir(), "lyceum-mutation-"));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const file of new Set(listed.toString().split("\0").filter(Boolean))) {
    // A file that was removed and not yet committed is listed too.
    if (!exists(join(root, file))) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  linkInstalled(join(root, "node_modules"), join(folder, "node_modules"));
  for (const workspace of ["client"]) {
    const installed = join(root, workspace, "node_modules");
    if (exists(installed)) symlinkSync(resolve(installed), join(folder, workspace, "node_modules"));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Links each package; a link to a workspace stays relative, so that it leads to the copy's own. */
function linkInstalled(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    if (name.startsWith("@")) linkInstalled(source, target);
    else if (name.startsWith(".")) continue;
    else symlinkSync(lstatSync(source).isSymbolicLink() ? readlinkSync(source) : resolve(source), target);
  }
}
