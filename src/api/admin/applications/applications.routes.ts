import type { Deps } from "../../../deps.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { within } from "../../../lib/within.js";
import { applicationsNewestFirst } from "../../../services/educators/apply-as-educator.js";
import {
  AlreadyReviewed,
  ApplicantIsAdmin,
  ApplicationNotFound,
  approveApplication,
  rejectApplication,
} from "../../../services/educators/decide-application.js";
import { writeRoleAtProvider } from "../../../services/educators/write-role-at-provider.js";
import { ApplicationsReply, ApprovedReply, RejectedReply, RejectionBody, StatusQuery } from "./applications.schemas.js";

/** How long an approval waits for the identity provider. The background job continues in any case. */
const providerWaitMs = 2_000;

/** Decisions on educators' applications. */
export function applicationsGroup({ db, identity, log }: Deps): RouteGroup {
  const tryToWriteRole = async (applicationId: string): Promise<void> => {
    const written = writeRoleAtProvider(db, identity, applicationId).catch((error: unknown) => {
      log.warn(
        { eventId: "role_not_written", application: applicationId, cause: String(error) },
        "role not written yet",
      );
    });
    await within({ ms: providerWaitMs, late: () => undefined }, () => written);
  };
  return {
    name: "admin",
    base: "/api/admin",
    routes: [
      route("get", "/educator-applications", {
        operationId: "listApplications",
        summary: "Applications, newest first",
        access: "admin",
        query: StatusQuery,
        reply: ApplicationsReply.schema,
        handle: (request) => ApplicationsReply.answer(request, applicationsNewestFirst(db, request.query.status)),
      }),
      route("patch", "/educator-applications/:id/approve", {
        operationId: "approveApplication",
        summary: "Approve an application",
        description:
          "The role takes effect at once. It is written to the identity provider as soon as the provider answers.",
        access: "admin",
        reply: ApprovedReply,
        errors: [ApplicationNotFound, AlreadyReviewed, ApplicantIsAdmin],
        async handle({ params, manager }) {
          await approveApplication(db, params.id, manager);
          await tryToWriteRole(params.id);
          return { message: "Application approved. Educator role granted." as const };
        },
      }),
      route("patch", "/educator-applications/:id/reject", {
        operationId: "rejectApplication",
        summary: "Reject an application",
        access: "admin",
        body: RejectionBody,
        reply: RejectedReply,
        errors: [ApplicationNotFound, AlreadyReviewed],
        async handle({ params, body, manager }) {
          await rejectApplication(db, params.id, body.reason, manager);
          return { message: "Application rejected." as const };
        },
      }),
    ],
  };
}
