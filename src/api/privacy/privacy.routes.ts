import type { Deps } from "../../deps.js";
import { streamBody } from "../../http/replies/stream-body.js";
import { type RouteGroup, route } from "../../http/route.js";
import { BrokenRule, InvalidRequest } from "../../lib/errors.js";
import { within } from "../../lib/within.js";
import { askForErasure, eraseUserData } from "../../services/privacy/erase-user-data.js";
import { exportUserData } from "../../services/privacy/export-user-data.js";
import { EraseBody, EraseReply, ExportReply } from "./privacy.schemas.js";

/** How long a caller waits for the end of an erasure. A job finishes it after that. */
const waitMs = 10_000;

/** Export and erasure of the caller's data. */
export function privacyGroup(deps: Deps): RouteGroup {
  const { db, log } = deps;
  return {
    name: "privacy",
    base: "/api/user",
    routes: [
      route("get", "/export", {
        operationId: "exportUserData",
        stability: "beta",
        summary: "Export the data stored about the caller",
        description: "Streamed. The rows of a list are in no particular order. Durations are in seconds.",
        access: "user",
        reply: ExportReply,
        async handle({ viewer, res, signal }) {
          const headers = {
            "Content-Type": "application/json; charset=utf-8",
            "Content-Disposition": 'attachment; filename="my-data.json"',
          };
          return streamBody(res, signal, headers, exportUserData(db, viewer.id));
        },
      }),
      route("delete", "/data", {
        operationId: "eraseUserData",
        stability: "beta",
        summary: "Erase the data stored about the caller",
        description:
          "Access to courses ends. Posts and replies stay under the name `Deleted user`, and purchases stay without the " +
          "user. The request may be repeated. The account itself has to be deleted at the identity provider.",
        access: "user",
        body: EraseBody,
        reply: EraseReply,
        errors: [InvalidRequest],
        async handle({ viewer, body, req }) {
          if (body.confirm !== viewer.id) throw BrokenRule("body.confirm: not the own user id");
          const wish = { userId: viewer.id, keepCertificates: body.keepCertificates, actorId: viewer.id };
          await askForErasure(db, { ...wish, requestId: req.id });
          try {
            const progress = await within({ ms: waitMs }, (signal) => eraseUserData(deps, viewer.id, signal));
            return { erased: progress !== undefined };
          } catch (error) {
            // The request is stored, so that a job continues the erasure.
            const failure = { userId: viewer.id, requestId: req.id, cause: String(error) };
            log.warn({ eventId: "data_not_erased", ...failure }, "a user's data not erased yet");
            return { erased: false };
          }
        },
      }),
    ],
  };
}
