import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import mongoose from "mongoose";
import type { Context } from "../part.js";

/** Where and when something was measured. */
export interface Surroundings {
  readonly at: string;
  /** How many processes wanted a core just before. */
  readonly loadBefore: number;
  readonly machine: string;
  readonly versions: string;
  readonly commit: string;
  readonly beside?: string;
  readonly rounds: number;
}

export async function surroundings({ beside, rounds }: Context): Promise<Surroundings> {
  const [express, mapper, fastify] = await Promise.all(["express", "mongoose", "fastify"].map(installed));
  const [cpu] = cpus();
  return {
    at: `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`,
    loadBefore: loadavg()[0] ?? 0,
    machine: `${cpus().length} × ${cpu?.model ?? "CPU"}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}`,
    versions: `Node.js ${process.version.slice(1)}, Express ${express}, Mongoose ${mapper}, Fastify ${fastify}, ${await databaseVersion()}`,
    commit: commitOf("."),
    ...(beside ? { beside: commitOf(beside) } : {}),
    rounds,
  };
}

const installed = async (name: string): Promise<string> =>
  JSON.parse(await readFile(`node_modules/${name}/package.json`, "utf8")).version;

const commitOf = (folder: string): string =>
  execFileSync("git", ["-C", folder, "log", "-1", "--format=%h of %cs"], { encoding: "utf8" }).trim();

async function databaseVersion(): Promise<string> {
  const uri = process.env.MONGODB_URI;
  if (!uri) return "the embedded database";
  const connection = await mongoose.createConnection(uri).asPromise();
  const { version } = (await connection.db?.admin().buildInfo()) ?? {};
  await connection.close();
  return `database server ${version}`;
}
