import type { Query, Schema } from "mongoose";

/**
 * Time limit of one command in the database. It is below the socket timeout (db/connection.ts), so that no command runs
 * on after its caller has given up.
 */
export const commandLimitMs = 2_400;

/** How long the database may work on a cursor. It counts all batches of the cursor together. */
export const cursorLimitMs = 60_000;

const limitQuery = (query: Query<unknown, unknown>): void => {
  if (query.getOptions().maxTimeMS === undefined) query.setOptions({ maxTimeMS: commandLimitMs });
};

/**
 * Limits the time of the writes that search for their rows. Mongoose's option `maxTimeMS` (db/db.ts) covers reads and
 * `findOneAndUpdate` only, and gives inserts no option: an insert does not search.
 */
export function limitWriteTimes(schema: Schema): void {
  schema.pre(
    [
      "estimatedDocumentCount",
      "updateOne",
      "updateMany",
      "replaceOne",
      "deleteOne",
      "deleteMany",
      "findOneAndDelete",
      "findOneAndReplace",
    ],
    { document: false, query: true },
    function () {
      limitQuery(this);
    },
  );
  schema.pre("bulkWrite", (_operations, options) => {
    if (options) options.maxTimeMS ??= commandLimitMs;
  });
}
