import { startEmbeddedDatabase } from "@lyceum/embedded-mongo";

/** Runs the embedded database as a program with its folder and port as arguments. */
const [dataDir = "", port = ""] = process.argv.slice(2);

/** Time limit after which a killed client's transaction is aborted. */
const transactionLifetimeLimitSeconds = 4;

await startEmbeddedDatabase({ dataDir, port: Number(port), transactionLifetimeLimitSeconds });
