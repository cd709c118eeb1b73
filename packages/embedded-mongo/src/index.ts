import { toNumber } from "./language/numbers.js";
import { Effort, prepare } from "./language/query.js";
import { isNumber } from "./language/values.js";
import { DatabaseServer } from "./server.js";
import { Catalog } from "./store/catalog.js";
import { Storage } from "./store/storage.js";

/** Interval of the TTL job, as in MongoDB, and documents of an index in one write. */
const [EXPIRY_MILLISECONDS, REMOVED_AT_ONCE] = [60_000, 5000];
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

/** Removes documents that expired before `now`, through their TTL index. A value that is no date never expires. */
export async function removeExpired(catalog: Catalog, now: Date): Promise<number> {
  let removed = 0;
  for (const { definition, indexes } of catalog.collections()) {
    for (const { spec, fields, store } of indexes.filter(({ spec }) => isNumber(spec.expireAfterSeconds))) {
      const seconds = isNumber(spec.expireAfterSeconds) ? toNumber(spec.expireAfterSeconds) : 0;
      const over = { [fields[0]?.name ?? ""]: { $lte: new Date(now.getTime() - seconds * 1000) } };
      const filter = { $and: [over, spec.partialFilterExpression ?? {}] };
      removed += await catalog.storage.write(() => {
        const collection = catalog.find(definition.database, definition.name);
        if (!collection?.indexes.some((index) => index.store === store)) return 0; // the index was dropped in the meantime
        const found = [...prepare(collection, { filter, limit: REMOVED_AT_ONCE }).run(new Effort())];
        for (const one of found) collection.remove(one);
        return found.length;
      });
    }
  }
  return removed;
}
