import { Catalog } from "./catalog.js";
import { DatabaseServer } from "./server.js";
import { Storage } from "./storage.js";
import { removeExpired } from "./ttl.js";

/** How often TTL indexes are looked at, as in MongoDB. */
const EXPIRY_MILLISECONDS = 60_000;

export interface EmbeddedDatabase {
  readonly uri: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Starts the embedded server on a loopback port (0 or none: a free one) with its data in `dataDir`, which is made when missing.
 * A damaged file is moved aside and reported through `warn` (standard error by default).
 * @throws Error when another process has the folder or the port is taken.
 */
export async function startEmbeddedDatabase(options: {
  dataDir: string;
  port?: number;
  warn?: (message: string) => void;
}): Promise<EmbeddedDatabase> {
  const warn = options.warn ?? ((message: string) => process.stderr.write(`${message}\n`));
  const storage = await Storage.open(options.dataDir, warn);
  const catalog = new Catalog(storage);
  const server = new DatabaseServer(catalog);
  const expire = () => removeExpired(catalog, new Date()).catch((error) => warn(`Expiry failed: ${String(error)}`));
  const expiry = setInterval(expire, EXPIRY_MILLISECONDS).unref();
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      clearInterval(expiry);
      await server.close();
      await storage.close();
    })();
    return closing;
  };
  const port = await server.listen(options.port ?? 0).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { port, uri: `mongodb://127.0.0.1:${port}/lyceum?directConnection=true&retryWrites=false`, close };
}
