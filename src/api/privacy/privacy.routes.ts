import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { InvalidRequest } from "../../lib/errors.js";
import { privacyController } from "./privacy.controller.js";
import { EraseBody, EraseReply, ExportReply } from "./privacy.schemas.js";

/** What the server knows of the caller: to take along, and to have erased. */
export function privacyGroup(deps: Deps): RouteGroup {
  const privacy = privacyController(deps);
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
        errors: [],
        handle: privacy.export,
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
        handle: privacy.erase,
      }),
    ],
  };
}
