import { Umzug } from "umzug";
import { cursorLimitMs } from "../models/command-limit.js";
import type { Models } from "../models/index.js";
import type { Db } from "./db.js";
import { withLease } from "./lease.js";

/** One change of stored data. Servers of the version before run beside it, and after a crash it runs again. */
export interface Migration {
  /** Begins with its number, `0001-…`, and never changes. */
  readonly name: string;
  up(models: Models, lost: AbortSignal): Promise<void>;
}

/** Every migration, in the order in which they run. */
export const migrations: readonly Migration[] = [
  {
    // Texts of lessons that a version without stored HTML has saved. A job renders them.
    name: "0001-render-lessons",
    async up({ Course }) {
      const unrendered = { kind: "text", html: { $exists: false } };
      const courses = { "courseContent.chapterContent.blocks": { $elemMatch: unrendered } };
      const due = { $set: { rendererVersion: 0 } };
      await Course.updateMany(courses, due, { timestamps: false }).maxTimeMS(cursorLimitMs);
    },
  },
];

/** Lists the migrations that have not run on this database. */
export async function pendingMigrations(db: Db, all = migrations): Promise<string[]> {
  return (await umzug(db, all, new AbortController().signal).pending()).map(({ name }) => name);
}

/**
 * Runs the pending migrations in their order, under a lease.
 * @returns their names; undefined while another process migrates.
 */
export function runMigrations(db: Db, all = migrations): Promise<string[] | undefined> {
  const work = async (lost: AbortSignal) => (await umzug(db, all, lost).up()).map(({ name }) => name);
  return withLease(db, "migrations", work, { ttlMs: 30_000 });
}

const umzug = (db: Db, all: readonly Migration[], lost: AbortSignal) =>
  new Umzug({
    migrations: all.map(({ name, up }) => ({
      name,
      async up() {
        lost.throwIfAborted();
        await up(db, lost);
      },
    })),
    storage: {
      async executed() {
        return (await db.Migration.find().sort({ _id: 1 }).lean()).map(({ _id }) => _id);
      },
      async logMigration({ name: _id }) {
        await db.Migration.create({ _id, ranAt: new Date() });
      },
      async unlogMigration({ name: _id }) {
        await db.Migration.deleteOne({ _id });
      },
    },
    logger: undefined,
  });
