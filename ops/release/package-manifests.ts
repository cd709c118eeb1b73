import { readdirSync, readFileSync } from "node:fs";

export interface Manifest {
  readonly name: string;
  version: string;
  readonly engines: { readonly node: string };
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

const inFolder = (folder: string) => readdirSync(folder).map((name) => `${folder}/${name}/package.json`);

/** The manifests of all packages of this repository, that of the server first. */
export const packageFiles = (): string[] => [
  "package.json",
  "client/package.json",
  ...inFolder("packages"),
  ...inFolder("examples"),
];

export const readManifest = (file: string): Manifest => JSON.parse(readFileSync(file, "utf8"));
