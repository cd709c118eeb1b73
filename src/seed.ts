import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { createLog, loadDotEnv } from "./process.js";
import { developmentPorts, startSandbox } from "./sandbox/index.js";

/**
 * `npm run seed`: loads the demo data into the development platform, the running one if there is one. May be repeated;
 * refuses production.
 */
const Running = z.object({ url: z.string(), variables: z.record(z.string(), z.string()) });

async function main(): Promise<void> {
  loadDotEnv();
  if (process.env.NODE_ENV === "production") throw new Error("The demo data is not for production");
  const dataDir = resolve(process.env.DATA_DIR || "./.data");
  const running = await findRunning(join(dataDir, "running.json"));
  const sandbox = running ? undefined : await startSandbox(process.env, { dataDir, ports: developmentPorts });
  Object.assign(process.env, running ?? sandbox?.variables);
  const { parseConfig } = await import("./config.js");
  const { compose } = await import("./compose.js");
  const { loadDemo } = await import("./demo/load-demo.js");
  const { prepareDatabase } = await import("./server.js");

  const config = parseConfig(process.env);
  await prepareDatabase(config.mongodbUri);
  const { deps, close } = await compose(config, createLog("warn"));
  await loadDemo(deps);
  const [courses, users] = await Promise.all([deps.models.Course.countDocuments(), deps.models.User.countDocuments()]);
  await close();
  await sandbox?.close();
  process.stdout.write(`The demo data is there: ${courses} courses and ${users} people in all.\n`);
}

/** The variables of the development server that runs on this data folder, if it answers. */
async function findRunning(file: string): Promise<Record<string, string> | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { url, variables } = Running.parse(JSON.parse(text));
  const answers = await fetch(`${url}/healthz`).then(
    (reply) => reply.ok,
    () => false,
  );
  return answers ? variables : undefined;
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
