import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { envExample } from "./config.js";
import { startSandbox } from "./sandbox/index.js";

/** `npm run docs`: writes the generated files that are kept in the repository. Tests fail when they are stale. */
async function main(): Promise<void> {
  await writeFile(".env.example", envExample());
  const dataDir = await mkdtemp(join(tmpdir(), "lyceum-docs-"));
  const sandbox = await startSandbox({}, { dataDir });
  Object.assign(process.env, sandbox.variables, { PORT: "0", LOG_LEVEL: "silent" });
  const { parseConfig } = await import("./config.js");
  const { createLog } = await import("./process.js");
  const { startServer } = await import("./server.js");
  const server = await startServer(parseConfig(process.env), createLog("silent"), { jobs: false });
  const description = await (await fetch(`${server.url}/api/openapi.json`)).json();
  await writeFile("openapi.json", `${JSON.stringify(description, null, 2)}\n`);
  await server.close();
  await sandbox.close();
  await rm(dataDir, { recursive: true, force: true });
}

await main();
