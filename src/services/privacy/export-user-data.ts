import type { Db } from "../../db/db.js";
import { userOwnedCollections } from "../../models/index.js";
import { readUserOwnedRows } from "../../models/user-owned-rows.js";

/** Characters of a piece that is sent. */
const pieceLength = 64 * 1024;

/** Writes the rows of a user as the JSON of the export, in pieces. */
export async function* exportUserData(db: Db, userId: string): AsyncGenerator<string> {
  let piece = `{"success":true,"export":{"exportedAt":${JSON.stringify(new Date())},"userId":${JSON.stringify(userId)}`;
  for (const collection of userOwnedCollections) {
    piece += `,"${collection.section}":[`;
    let separator = "";
    for await (const row of readUserOwnedRows(db, collection, userId)) {
      piece += separator + JSON.stringify(collection.row.parse(row));
      separator = ",";
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = "";
    }
    piece += "]";
  }
  yield `${piece}}}`;
}
