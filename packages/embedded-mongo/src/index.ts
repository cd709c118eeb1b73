import { DatabaseServer } from "./server.js";
import { Catalog } from "./store/catalog.js";
import { removeExpired } from "./store/expiry.js";
import { Storage } from "./store/storage.js";

/** Interval of the TTL job, as in MongoDB. */
const EXPIRY_MILLISECONDS = 60_000;
/** Time limit of a transaction, as in MongoDB. */
const TRANSACTION_SECONDS = 60;

/**
 * Starts the embedded server on a loopback port. Port 0, or none, chooses a free one. It creates `dataDir` when
 * missing. It moves a damaged file aside and reports it through `warn` (standard error by default).
 * @throws Error when another process uses the folder or the port is taken.
 */
export async function startEmbeddedDatabase(options: {
  dataDir: string;
  port?: number;
  warn?: (message: string) => void;
  transactionLifetimeLimitSeconds?: number;
}): Promise<{ uri: string; port: number; close: () => Promise<void> }> {
  const warn = options.warn ?? ((message: string) => process.stderr.write(`${message}\n`));
  const storage = await Storage.open(options.dataDir, warn);
  const catalog = new Catalog(storage);
  const server = new DatabaseServer(catalog, (options.transactionLifetimeLimitSeconds ?? TRANSACTION_SECONDS) * 1000);
  const expire = () => removeExpired(catalog, new Date()).catch((error) => warn(`Expiry failed: ${String(error)}`));
  const expiry = setInterval(expire, EXPIRY_MILLISECONDS).unref();
  let closed: Promise<void> | undefined;
  const close = () => {
    clearInterval(expiry);
    closed ??= server.close().then(() => storage.close());
    return closed;
  };
  const port = await server.listen(options.port ?? 0).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { port, uri: `mongodb://127.0.0.1:${port}/lyceum?directConnection=true&retryWrites=false`, close };
}
