import type { Db } from "../../src/db/db.js";
import { touchCatalog } from "../../src/models/courses/catalog-revision.js";

/** Runs a direct database write and invalidates the catalog. */
export async function changeCatalog<T>(db: Db, write: () => Promise<T>): Promise<T> {
  const written = await write();
  await db.transaction((session) => touchCatalog(db, session));
  return written;
}
