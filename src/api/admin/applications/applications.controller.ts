import pTimeout from "p-timeout";
import type { z } from "zod";
import type { Deps } from "../../../deps.js";
import { replyWithList } from "../../../http/reply-with-list.js";
import type { RouteRequest } from "../../../http/route.js";
import { approveApplication, rejectApplication } from "../../../services/educators/decide-application.js";
import { writeRoleAtProvider } from "../../../services/educators/write-role-at-provider.js";
import {
  type ApplicationParams,
  ApplicationsReply,
  type RejectionBody,
  type StatusQuery,
} from "./applications.schemas.js";
import { applicationsNewestFirst } from "./list-applications.js";

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
      replyWithList(request, {
        ...{ reply: ApplicationsReply, field: "applications" },
        list: applicationsNewestFirst(db, request.query.status),
        wrap: (applications, page) => ({ applications, ...page }),
      }),

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
