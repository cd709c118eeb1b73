import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import { streamBody } from "../../http/replies/stream-body.js";
import { type RouteGroup, route } from "../../http/route.js";
import { InvalidRequest } from "../../lib/errors.js";
import { userOwnedCollections } from "../../models/index.js";
import { readUserOwnedRows } from "../../models/user-owned-rows.js";
import { eraseUserData } from "../../services/privacy/erase-user-data.js";
import { requestErasure } from "../../services/privacy/request-erasure.js";
import { EraseBody, EraseReply, ExportReply } from "./privacy.schemas.js";

/** A caller waits this long for the end of an erasure; after that a job finishes it. */
const waitMs = 10_000;

/** What the server knows of the caller: to take along, and to have erased. */
export function privacyGroup(deps: Deps): RouteGroup {
  const { db, log } = deps;
  return {
    name: "privacy",
    base: "/api/user",
    access: "user",
    routes: [
      route({
        method: "get",
        path: "/export",
        summary: "What is stored about the caller, as one document",
        description: "Streamed. The rows of a list are in no particular order. Durations are in seconds.",
        access: "user",
        reply: ExportReply,
        async handle({ viewer, res, signal }) {
          const headers = {
            "Content-Type": "application/json; charset=utf-8",
            "Content-Disposition": 'attachment; filename="my-data.json"',
          };
          return streamBody(res, signal, headers, exportPieces(db, viewer.id));
        },
      }),
      route({
        method: "delete",
        path: "/data",
        summary: "Erase what is stored about the caller",
        description:
          "Access to courses ends. Posts and replies stay, as by `Deleted user`; purchases stay without the user. " +
          "May be repeated. The account itself is deleted at the identity provider.",
        access: "user",
        body: EraseBody,
        reply: EraseReply,
        errors: [InvalidRequest],
        async handle({ viewer, body, req }) {
          if (body.confirm !== viewer.id) throw InvalidRequest();
          const wish = { userId: viewer.id, keepCertificates: body.keepCertificates, actorId: viewer.id };
          await db.transaction((session) => requestErasure(db, session, { ...wish, requestId: req.id }));
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
      }),
    ],
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
