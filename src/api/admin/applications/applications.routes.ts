import { setTimeout as sleep } from "node:timers/promises";
import type { Types } from "mongoose";
import { z } from "zod";
import type { Db } from "../../../db/db.js";
import { mergeInOrder, readInOrder } from "../../../db/read-in-order.js";
import type { Deps } from "../../../deps.js";
import { id, objectId, text, timestamp } from "../../../http/fields.js";
import { cursorDate, cursorId, nextCursor, type OrderedList, pageQuery, replyWithList } from "../../../http/pages.js";
import { type Route, route } from "../../../http/route.js";
import {
  type ApplicationStatus,
  type EducatorApplication,
  shownStatus,
  shownStatuses,
} from "../../../models/educator-application.js";
import {
  AlreadyReviewed,
  ApplicantIsAdmin,
  ApplicationNotFound,
  approveApplication,
  rejectApplication,
} from "../../../services/educators/decide-application.js";
import { tellProvider } from "../../../services/educators/tell-provider.js";

const ApplicationParams = z.object({ id: objectId });

const StatusQuery = z.object({
  status: z
    .string()
    .optional()
    .meta({ description: `all, ${shownStatuses.join(", ")}; any other matches nothing` }),
  ...pageQuery(z.tuple([cursorDate, cursorId])),
});

const ApplicationsReply = z.object({
  applications: z.array(
    z
      .object({
        _id: id,
        userId: z.string(),
        professionalTitle: z.string(),
        bio: z.string(),
        expertise: z.array(z.string()),
        linkedinUrl: z.string(),
        status: z.enum(shownStatuses),
        rejectionReason: z.string(),
        createdAt: timestamp,
        updatedAt: timestamp,
      })
      .meta({ id: "Application" }),
  ),
  nextCursor,
});

/** How long an approval waits for the identity provider before it answers; the job goes on in any case. */
const providerPatienceMs = 2_000;

/** Moderation of educator applications. */
export function applicationRoutes({ db, identity, log }: Deps): Route[] {
  const tryProvider = async (applicationId: string): Promise<void> => {
    const attempt = tellProvider(db, identity, applicationId).catch((error: unknown) => {
      log.warn({ application: applicationId, cause: String(error) }, "role not written yet");
    });
    const patience = new AbortController();
    const late = sleep(providerPatienceMs, undefined, { signal: patience.signal, ref: false }).catch(() => undefined);
    await Promise.race([attempt, late]);
    patience.abort();
  };

  return [
    route({
      method: "get",
      path: "/educator-applications",
      summary: "Applications, newest first",
      access: "admin",
      query: StatusQuery,
      reply: ApplicationsReply,
      errors: [],
      handle: (request) =>
        replyWithList(request, {
          ...{ reply: ApplicationsReply, field: "applications", batch: applicationsAtATime },
          list: applicationsNewestFirst(db, request.query.status),
          wrap: (applications, page) => ({ applications, ...page }),
        }),
    }),
    route({
      method: "patch",
      path: "/educator-applications/:id/approve",
      summary: "Approve an application",
      description: "The role is in force at once; the identity provider is told as soon as it answers.",
      waitsForProvider: true,
      access: "admin",
      params: ApplicationParams,
      reply: z.object({ message: z.literal("Application approved. Educator role granted.") }),
      errors: [ApplicationNotFound, AlreadyReviewed, ApplicantIsAdmin],
      async handle({ params, viewer, req }) {
        await approveApplication(db, params.id, { adminId: viewer.id, requestId: String(req.id) });
        await tryProvider(params.id);
        return { message: "Application approved. Educator role granted." as const };
      },
    }),
    route({
      method: "patch",
      path: "/educator-applications/:id/reject",
      summary: "Reject an application",
      access: "admin",
      params: ApplicationParams,
      body: z.object({ reason: text(0, 500).default("") }),
      reply: z.object({ message: z.literal("Application rejected.") }),
      errors: [ApplicationNotFound, AlreadyReviewed],
      async handle({ params, body, viewer, req }) {
        const decider = { adminId: viewer.id, requestId: String(req.id) };
        await rejectApplication(db, params.id, body.reason, decider);
        return { message: "Application rejected." as const };
      },
    }),
  ];
}

/** An application may be 10 kB long. */
const applicationsAtATime = 200;

/** The applications that are shown as `status`. Each stored status is read in its own index's order, and merged. */
function applicationsNewestFirst(db: Db, status: string | undefined) {
  const sort = { createdAt: -1, _id: -1 } as const;
  return {
    read(after, size) {
      const reads = filtersFor(status).map((filter) =>
        readInOrder<EducatorApplication, EducatorApplication>(db.EducatorApplication, {
          ...{ filter, fields: {}, sort, after, size },
        }),
      );
      return mergeInOrder(reads, newestFirst, size);
    },
    keyOf: ({ createdAt, _id }) => [createdAt, _id],
    describe: async (found) => found.map((application) => ({ ...application, status: shownStatus(application) })),
  } satisfies OrderedList<EducatorApplication, [Date, Types.ObjectId], unknown>;
}

function filtersFor(status = "all"): { status?: ApplicationStatus }[] {
  if (status === "all") return [{}];
  if (status === "approved") return [{ status: "approving" }, { status: "approved" }];
  return shownStatuses.filter((one) => one === status).map((one) => ({ status: one }));
}

const newestFirst = (a: EducatorApplication, b: EducatorApplication): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || (String(a._id) < String(b._id) ? 1 : -1);
