import type { Deps } from "../../../deps.js";
import { missingOr } from "../../../http/required.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { failure } from "../../../lib/errors.js";
import {
  AlreadyApproved,
  AlreadyPending,
  applyAsEducator,
  findApplication,
} from "../../../services/educators/apply-as-educator.js";
import { ApplicationBody, ApplicationStatusReply, AppliedReply } from "./applications.schemas.js";

const FieldsMissing = failure("application_fields_missing", 400, "Please fill in all required fields.");

const messages = {
  submitted: "Application submitted successfully. We will review it shortly.",
  resubmitted: "Application resubmitted successfully.",
};

/** Becoming an educator: open to every signed-in user. */
export function ownApplicationGroup({ db }: Deps): RouteGroup {
  return {
    name: "educator",
    base: "/api/educator",
    routes: [
      route("post", "/apply", {
        operationId: "applyAsEducator",
        summary: "Apply to become an educator, or again after a rejection",
        access: "user",
        body: ApplicationBody,
        invalid: missingOr(FieldsMissing, "some"),
        reply: AppliedReply,
        errors: [FieldsMissing, AlreadyPending, AlreadyApproved],
        handle: async ({ body, viewer }) => ({ message: messages[await applyAsEducator(db, viewer, body)] }),
      }),
      route("get", "/application-status", {
        operationId: "getOwnApplication",
        summary: "The caller's application",
        access: "user",
        reply: ApplicationStatusReply,
        handle: async ({ viewer }) => ({ application: await findApplication(db, viewer.id) }),
      }),
    ],
  };
}
