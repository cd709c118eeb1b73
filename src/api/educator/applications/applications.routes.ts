import type { Deps } from "../../../deps.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { AlreadyApproved, AlreadyPending } from "../../../services/educators/apply-as-educator.js";
import { ownApplicationController } from "./applications.controller.js";
import {
  ApplicationBody,
  ApplicationStatusReply,
  AppliedReply,
  FieldsMissing,
  UnfitApplication,
} from "./applications.schemas.js";

/** Becoming an educator: open to every signed-in user. */
export function ownApplicationGroup(deps: Deps): RouteGroup {
  const application = ownApplicationController(deps);
  return {
    name: "educator",
    base: "/api/educator",
    routes: [
      route({
        method: "post",
        path: "/apply",
        summary: "Apply to become an educator, or again after a rejection",
        access: "user",
        body: ApplicationBody,
        invalid: UnfitApplication,
        reply: AppliedReply,
        errors: [FieldsMissing, AlreadyPending, AlreadyApproved],
        handle: application.apply,
      }),
      route({
        method: "get",
        path: "/application-status",
        summary: "One's own application",
        access: "user",
        reply: ApplicationStatusReply,
        errors: [],
        handle: application.status,
      }),
    ],
  };
}
