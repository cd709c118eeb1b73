import { startEmbeddedDatabase } from "@lyceum/embedded-mongo";

/** The embedded database as a program: its folder and its port are the words of the command. */
const [dataDir = "", port = ""] = process.argv.slice(2);

/** A transaction of a client that was killed is aborted after this time. */
const transactionLifetimeLimitSeconds = 4;

await startEmbeddedDatabase({ dataDir, port: Number(port), transactionLifetimeLimitSeconds });
