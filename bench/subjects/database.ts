import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedDatabase } from "@lyceum/embedded-mongo";
import { serveSubject } from "../processes/subject.js";

/** The embedded database in a process of its own, as a database usually is. */
const dataDir = await mkdtemp(join(tmpdir(), "lyceum-bench-"));
const database = await startEmbeddedDatabase({ dataDir });

serveSubject(database.uri, {}, async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});
