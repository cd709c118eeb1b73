import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const COMPILED = fileURLToPath(new URL("../../../node_modules/.cache/embedded-mongo", import.meta.url));

/** Bundles a TypeScript program into one JavaScript file, which starts in a third of the time. */
export function compiled(program: string): string {
  const outfile = join(COMPILED, basename(program).replace(".ts", ".mjs"));
  const entry = fileURLToPath(new URL(program, import.meta.url));
  buildSync({ entryPoints: [entry], outfile, bundle: true, packages: "external", platform: "node", format: "esm" });
  return outfile;
}

let command: string | undefined;

export interface DatabaseProcess {
  process: ChildProcess;
  uri: string;
}

/**
 * Runs the command line in a process. It resolves with the URI and rejects with the error message.
 * @param space limit of a file in kilobytes, which simulates a full disk.
 */
export async function spawnDatabase(
  dataDir: string,
  space = "unlimited",
): Promise<DatabaseProcess & { complaints: () => string }> {
  const limited = `trap "" XFSZ; ulimit -f ${space}; exec "$@"`;
  command ??= compiled("../src/cli.ts");
  const child = spawn("bash", ["-c", limited, "bash", process.execPath, command], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [printed, complaint] = ["", ""];
  child.stdout?.on("data", (bytes: Buffer) => {
    printed += bytes;
  });
  child.stderr?.on("data", (bytes: Buffer) => {
    complaint += bytes;
  });
  const exited = once(child, "exit");
  while (!/^MONGODB_URI=.+\n/m.test(printed)) {
    const stdout = child.stdout;
    if (stdout === null) {
      throw new Error("no standard output");
    }
    const ended = await Promise.race([once(stdout, "data").then(() => false), exited.then(() => true)]);
    if (ended) {
      throw new Error(complaint || `ended with ${child.exitCode}`);
    }
  }
  return { process: child, uri: /^MONGODB_URI=(.+)$/m.exec(printed)?.[1] ?? "", complaints: () => complaint };
}

export async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
  return child.exitCode;
}
