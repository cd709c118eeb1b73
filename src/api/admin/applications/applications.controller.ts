import type { Types } from "mongoose";
import pTimeout from "p-timeout";
import type { z } from "zod";
import type { Db } from "../../../db/db.js";
import { findAfter } from "../../../db/find-after.js";
import type { Deps } from "../../../deps.js";
import { type OrderedList, replyWithList } from "../../../http/reply-with-list.js";
import type { RouteRequest } from "../../../http/route.js";
import {
  type ApplicationStatus,
  type EducatorApplication,
  shownStatus,
  shownStatuses,
} from "../../../models/users/educator-application.js";
import { approveApplication, rejectApplication } from "../../../services/educators/decide-application.js";
import { writeRoleAtProvider } from "../../../services/educators/write-role-at-provider.js";
import type { ApplicationParams, RejectionBody, StatusQuery } from "./applications.schemas.js";

/** How long an approval waits for the identity provider before it answers; the background job continues in any case. */
const providerWaitMs = 2_000;

type Deciding<B> = RouteRequest<z.output<typeof ApplicationParams>, undefined, B, "admin">;

export function applicationsController({ db, identity, log }: Pick<Deps, "db" | "identity" | "log">) {
  const tryToWriteRole = (applicationId: string): Promise<void> => {
    const written = writeRoleAtProvider(db, identity, applicationId).catch((error: unknown) => {
      log.warn(
        { eventId: "role_not_written", application: applicationId, cause: String(error) },
        "role not written yet",
      );
    });
    return pTimeout(written, { milliseconds: providerWaitMs, fallback: () => undefined });
  };

  return {
    list: (request: RouteRequest<undefined, z.output<typeof StatusQuery>, undefined, "admin">) =>
      replyWithList(request, applicationsNewestFirst(db, request.query.status), (applications, page) => ({
        applications,
        ...page,
      })),

    async approve({ params, viewer, req }: Deciding<undefined>) {
      await approveApplication(db, params.id, { adminId: viewer.id, requestId: String(req.id) });
      await tryToWriteRole(params.id);
      return { message: "Application approved. Educator role granted." as const };
    },

    async reject({ params, body, viewer, req }: Deciding<z.output<typeof RejectionBody>>) {
      await rejectApplication(db, params.id, body.reason, { adminId: viewer.id, requestId: String(req.id) });
      return { message: "Application rejected." as const };
    },
  };
}

/** The applications that are shown as `status`, newest first. */
function applicationsNewestFirst(db: Db, status: string | undefined) {
  const filter = filterFor(status);
  return {
    find: (after, limit) =>
      findAfter(db.EducatorApplication, { filter, sort: { createdAt: -1, _id: -1 }, after, limit }),
    keyOf: ({ createdAt, _id }) => [createdAt, _id],
    describe: async (found) => found.map((application) => ({ ...application, status: shownStatus(application) })),
  } satisfies OrderedList<EducatorApplication, [Date, Types.ObjectId], unknown>;
}

function filterFor(status = "all"): { status?: ApplicationStatus | { $in: ApplicationStatus[] } } {
  if (status === "all") return {};
  if (status === "approved") return { status: { $in: ["approving", "approved"] } };
  return { status: { $in: shownStatuses.filter((one) => one === status) } };
}
