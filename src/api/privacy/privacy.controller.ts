import type { z } from "zod";
import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import { streamBody } from "../../http/replies/stream-body.js";
import type { RouteRequest } from "../../http/route.js";
import { InvalidRequest } from "../../lib/errors.js";
import { userOwnedCollections } from "../../models/index.js";
import { readUserOwnedRows } from "../../models/user-owned-rows.js";
import { eraseUserData } from "../../services/privacy/erase-user-data.js";
import { requestErasure } from "../../services/privacy/request-erasure.js";
import type { EraseBody } from "./privacy.schemas.js";

/** A caller waits this long for the end of an erasure; after that a job finishes it. */
const waitMs = 10_000;

export function privacyController(deps: Deps) {
  const { db, log } = deps;
  return {
    async export({ viewer, res, signal }: RouteRequest<undefined, undefined, undefined, "user">) {
      const headers = {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Disposition": 'attachment; filename="my-data.json"',
      };
      return streamBody(res, signal, headers, exportPieces(db, viewer.id));
    },

    async erase({ viewer, body, req }: RouteRequest<undefined, undefined, z.output<typeof EraseBody>, "user">) {
      if (body.confirm !== viewer.id) throw InvalidRequest();
      const wish = { userId: viewer.id, keepCertificates: body.keepCertificates, actorId: viewer.id };
      await db.transaction((session) => requestErasure(db, session, { ...wish, requestId: String(req.id) }));
      try {
        const progress = await eraseUserData(deps, viewer.id, AbortSignal.timeout(waitMs));
        return { erased: progress !== undefined };
      } catch (error) {
        // The request is stored, so that the job takes it from here.
        const failure = { userId: viewer.id, requestId: req.id, cause: String(error) };
        log.warn({ eventId: "data_not_erased", ...failure }, "a user's data not erased yet");
        return { erased: false };
      }
    },
  };
}

/** A piece is sent when it has this many characters. */
const pieceLength = 64 * 1024;

async function* exportPieces(db: Db, userId: string): AsyncGenerator<string> {
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
