import { Types } from "mongoose";
import pTimeout from "p-timeout";
import type { z } from "zod";
import type { Deps } from "../../deps.js";
import type { RouteRequest } from "../../http/route.js";
import { isObjectId } from "../../lib/fields.js";
import { findCertificate, type Issuer, isIssued } from "../../services/certificates/issue-certificate.js";
import { type Recorded, recordProgress } from "../../services/learning/record-progress.js";
import type { ProgressBody, ProgressLookup } from "./progress.schemas.js";

/** How long a progress call waits for the certificate. Its production goes on when this is over. */
const budgetMs = 4_000;

type Posted<B extends z.ZodType> = RouteRequest<undefined, undefined, z.output<B>, "user">;

export function progressController({ db, log }: Deps, issue: Issuer) {
  const produce = async ({ progress: { userId, courseId }, certificate: opened }: Recorded): Promise<boolean> => {
    const until = Date.now() + budgetMs;
    let certificate = opened;
    try {
      certificate ??= await findCertificate(db, userId, courseId);
      if (certificate && !isIssued(certificate)) await issue(certificate, until);
      return certificate !== null;
    } catch (error) {
      const ids = { certificateId: certificate?.certificateId, userId, courseId: String(courseId) };
      log.warn({ eventId: "certificate_not_produced", ...ids, cause: String(error) }, "certificate not produced yet");
      return false;
    }
  };

  return {
    async update({ viewer, body }: Posted<typeof ProgressBody>) {
      const recorded = await recordProgress(db, { userId: viewer.id, ...body });
      const { completed } = recorded.progress;
      return {
        message: "Progress Updated" as const,
        isCourseCompleted: completed,
        certificateAvailable:
          completed && (await pTimeout(produce(recorded), { milliseconds: budgetMs, fallback: () => false })),
      };
    },

    async show({ viewer, body }: Posted<typeof ProgressLookup>) {
      const { courseId } = body;
      if (!isObjectId(courseId)) return { progressData: null };
      const own = { userId: viewer.id, courseId: new Types.ObjectId(courseId) };
      return { progressData: await db.CourseProgress.findOne(own).lean() };
    },
  };
}
