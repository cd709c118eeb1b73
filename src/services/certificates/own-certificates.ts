import type { Db } from "../../db/db.js";
import { orderedList } from "../../db/ordered-list.js";
import type { Deps } from "../../deps.js";
import { distinct } from "../../lib/distinct.js";
import { isInForce } from "../../models/enrollments/enrollment.js";
import { type Certificate, describeItem } from "../../models/learning/certificate.js";
import { certificateState, editionOf, endsSoon } from "./certificate-state.js";
import { verifyUrl } from "./draw-certificate.js";
import { findNewestOf } from "./newest-certificates.js";
import { refuseReissue } from "./reissue-certificate.js";

type ViewDeps = Pick<Deps, "db" | "config">;

/** Lists a learner's certificates, newest completion first. */
export const listOwnCertificates = (deps: ViewDeps, userId: string) =>
  orderedList<Certificate, Certificate, OwnCertificate, readonly [completionDate: Date, _id: Certificate["_id"]]>(
    deps.db.Certificate,
    {
      filter: { userId },
      sort: { completionDate: -1, _id: -1 },
      describe: (rows) => describeOwnCertificates(deps, userId, rows),
    },
  );

export type OwnCertificate = Awaited<ReturnType<typeof describeOwnCertificates>>[number];

/** Shows a learner their certificates, by a fixed number of commands. */
export async function describeOwnCertificates({ db, config }: ViewDeps, userId: string, rows: readonly Certificate[]) {
  const [user, isNewest, isEnrolled] = await Promise.all([
    db.User.findById(userId, { name: 1 }).lean(),
    findNewestOf(db, rows),
    findEnrolled(db, userId, rows),
  ]);
  const now = new Date();
  return rows.map((row) => {
    const { certificateId, courseTitle, completionDate, renewedAt } = row;
    const state = certificateState(row, now);
    const isOut = state !== "pending";
    const { studentName, issuedAt, reissuedAt = null, expiresAt = null, revokedAt = null, pdfUrl } = row;
    const isRenewable = isOut && state !== "revoked" && endsSoon(row, now) && !renewedAt;
    return {
      certificateId,
      ...describeItem(row),
      courseTitle,
      studentName: isOut ? studentName : null,
      state,
      edition: editionOf(row),
      completionDate,
      issuedAt,
      reissuedAt,
      expiresAt,
      revokedAt,
      pdfUrl,
      verifyUrl: verifyUrl(config, certificateId),
      linkedinUrl: state === "valid" ? linkedinUrl(config, row) : null,
      canReissue: isOut && refuseReissue(row, user?.name) === undefined,
      canRenew: isRenewable && isNewest(row) && isEnrolled(row),
    };
  });
}

async function findEnrolled(db: Db, userId: string, rows: readonly Certificate[]) {
  const courseId = { $in: distinct(rows.flatMap((row) => row.courseId ?? [])) };
  const fields = { courseId: 1, active: 1, expiresAt: 1 } as const;
  const found = await db.Enrollment.find({ userId, courseId }, fields).lean();
  const enrolled = new Set(found.filter((each) => isInForce(each)).map((each) => String(each.courseId)));
  return (row: Certificate): boolean => enrolled.has(String(row.courseId));
}

/** The page of LinkedIn that adds a certificate to a profile. */
function linkedinUrl(
  config: ViewDeps["config"],
  { certificateId, courseTitle, completionDate, expiresAt }: Certificate,
): string {
  const month = (name: string, date: Date) => [
    [`${name}Year`, String(date.getUTCFullYear())],
    [`${name}Month`, String(date.getUTCMonth() + 1)],
  ];
  const fields = [
    ["startTask", "CERTIFICATION_NAME"],
    ["name", courseTitle],
    ["organizationName", config.platform.name],
    ...month("issue", completionDate),
    ...(expiresAt ? month("expiration", expiresAt) : []),
    ["certId", certificateId],
    ["certUrl", verifyUrl(config, certificateId)],
  ];
  const query = fields.map(([name, value = ""]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return `https://www.linkedin.com/profile/add?${query}`;
}
