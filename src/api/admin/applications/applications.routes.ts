import type { Deps } from "../../../deps.js";
import { type RouteGroup, route } from "../../../http/route.js";
import {
  AlreadyReviewed,
  ApplicantIsAdmin,
  ApplicationNotFound,
} from "../../../services/educators/decide-application.js";
import { applicationsController } from "./applications.controller.js";
import {
  ApplicationParams,
  ApplicationsReply,
  ApprovedReply,
  RejectedReply,
  RejectionBody,
  StatusQuery,
} from "./applications.schemas.js";

/** Decisions on educators' applications. */
export function applicationsGroup(deps: Deps): RouteGroup {
  const applications = applicationsController(deps);
  return {
    name: "admin",
    base: "/api/admin",
    access: "admin",
    limit: "admin",
    routes: [
      route({
        method: "get",
        path: "/educator-applications",
        summary: "Applications, newest first",
        access: "admin",
        query: StatusQuery,
        reply: ApplicationsReply,
        errors: [],
        handle: applications.list,
      }),
      route({
        method: "patch",
        path: "/educator-applications/:id/approve",
        summary: "Approve an application",
        description: "The role is in force at once; it is written at the identity provider as soon as that answers.",
        access: "admin",
        params: ApplicationParams,
        reply: ApprovedReply,
        errors: [ApplicationNotFound, AlreadyReviewed, ApplicantIsAdmin],
        handle: applications.approve,
      }),
      route({
        method: "patch",
        path: "/educator-applications/:id/reject",
        summary: "Reject an application",
        access: "admin",
        params: ApplicationParams,
        body: RejectionBody,
        reply: RejectedReply,
        errors: [ApplicationNotFound, AlreadyReviewed],
        handle: applications.reject,
      }),
    ],
  };
}
