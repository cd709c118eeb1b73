import getChangesets from "@changesets/read";
import { CommandError } from "../../src/lib/errors.js";
import type { Change } from "./openapi-changes.js";

const sizes = ["patch", "minor", "major"] as const;
export type Size = (typeof sizes)[number];

export interface Changeset {
  readonly id: string;
  readonly size: Size;
  readonly text: string;
}

const worst = (some: readonly Size[]): Size | undefined => sizes.findLast((size) => some.includes(size));

/**
 * Reads the changesets of a repository. All packages share one version, so that the worst size of a changeset counts.
 * @param packages their names.
 * @throws CommandError for a file without front matter, an unknown package or size, and a missing text.
 */
export async function readChangesets(root: string, packages: readonly string[]): Promise<Changeset[]> {
  const changesets = await getChangesets(root).catch((error: Error) => {
    throw new CommandError(error.message);
  });
  return changesets.map(({ id, releases, summary }) => {
    const unknown = releases.filter(({ name }) => !packages.includes(name)).map(({ name }) => name);
    if (unknown.length > 0)
      throw new CommandError(`.changeset/${id}.md names ${unknown.join(", ")}, which is no package`);
    const size = worst(sizes.filter((one) => releases.some(({ type }) => type === one)));
    if (size === undefined) throw new CommandError(`.changeset/${id}.md names no package and size`);
    if (summary.trim() === "") throw new CommandError(`.changeset/${id}.md has no text`);
    return { id, size, text: summary.trim() };
  });
}

/** The size of a release with these changesets. */
export const sizeOf = (changesets: readonly Changeset[]): Size | undefined => worst(changesets.map(({ size }) => size));

/** The version that follows. */
export function nextVersion(version: string, size: Size): string {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  if (size === "major") return `${major + 1}.0.0`;
  return size === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Describes changes of the API that are greater than the size of the changesets. */
export function tooSmall(size: Size | undefined, changes: readonly Change[]): string | undefined {
  const breaking = changes.filter(({ kind }) => kind === "BREAKING");
  const needed = breaking.length > 0 ? "major" : changes.length > 0 ? "minor" : undefined;
  if (needed === undefined || worst([needed, size ?? "patch"]) === size) return undefined;
  const lines = (needed === "major" ? breaking : changes).map(({ operation, what }) => `  ${operation}: ${what}`);
  return [`The API has changes that need a ${needed} changeset; the greatest is ${size ?? "missing"}:`, ...lines].join(
    "\n",
  );
}
