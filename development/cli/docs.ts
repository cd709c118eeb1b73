import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "../../src/config.js";
import { backgroundJobs } from "../../src/jobs/index.js";
import { createLog, run } from "../../src/process.js";
import { startServer } from "../../src/server.js";
import { envExample } from "../env-example.js";
import { startProviders } from "../providers.js";
import { writeTables } from "./document-tables.js";

/** `npm run docs` regenerates `.env.example` and the OpenAPI documents. Tests fail when these files are stale. */
async function main(): Promise<void> {
  await writeFile(".env.example", envExample());
  const dataDir = await mkdtemp(join(tmpdir(), "lyceum-docs-"));
  const emulators = await startProviders({}, dataDir, { freePorts: true });
  const config = parseConfig({ ...emulators.env, PORT: "0" });
  const server = await startServer(config, createLog("silent"), { jobs: false });
  for (const file of ["openapi.json", "openapi-webhooks.json"]) {
    const description = await (await fetch(`${server.url}/api/${file}`)).json();
    await writeFile(file, `${JSON.stringify(description, null, 2)}\n`);
  }
  await writeTables(backgroundJobs(server.deps));
  await server.close();
  await emulators.close();
  await rm(dataDir, { recursive: true, force: true });
}

run(main);
