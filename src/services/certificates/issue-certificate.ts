import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { withLease } from "../../db/lease.js";
import type { Deps } from "../../deps.js";
import { backoffMs } from "../../lib/backoff.js";
import { ApiError, failure } from "../../lib/errors.js";
import { showsNothing } from "../../lib/fields.js";
import type { CertificateTemplate } from "../../models/courses/certificate-template.js";
import { type Certificate, type CertifiedItem, certificateKey } from "../../models/learning/certificate.js";
import type { User } from "../../models/users/user.js";
import { recordEvent } from "../events/record-event.js";
import { UserNotFound } from "../failures.js";
import { addMonths, daysBefore, expiringDays, isRunning } from "./certificate-state.js";
import { certificateFile, drawCertificate, storePdf } from "./draw-certificate.js";

export type CertificateDeps = Pick<Deps, "db" | "storage" | "config" | "renderInTurn">;
export type IssuedCertificate = Certificate & { status: "issued"; pdfUrl: string; issuedAt: Date };

interface IssueResult {
  certificate: IssuedCertificate;
  /** Whether this very call produced the PDF. */
  created: boolean;
}

/** Another production did not end before the caller's time limit. */
export class CertificateBusy extends Error {}

/** A certificate of a course was revoked. The routes that name a certificate answer 409. */
export const NoLongerValid = failure("certificate_no_longer_valid", 404, "Certificate was revoked");

export const NameMissing = failure("name_missing", 409, "Add your name first");

/** How long a crashed production blocks the next one. A running one renews its lease. */
export const leaseMs = 6_000;

/** Pauses between the background job's attempts: at most 5 minutes with their jitter. */
export const attemptPauses = { firstMs: 2_000, maxMs: 4 * 60_000 };
/** Pauses while the profile has no name. The identity event that brings one ends the pause. */
const namelessPauses = { firstMs: 2_000, maxMs: 24 * 60 * 60_000 };
/** Pauses between polls of a certificate that another caller produces. */
export const pollPauses = { firstMs: 20, maxMs: 400 };

/** Name of the lease for storing or removing the PDF of a certificate. */
export const certificateLease = (certificateId: string): string => `certificate:${certificateId}`;

/**
 * Creates the row of a certificate as `pending`, in the transaction that completes the course or the path, unless the
 * learner has one that does not run out soon. Name and title are taken now. Without a name that shows something, the name stays open until
 * there is one.
 * @param knownName the name if it was read already; null without a user record.
 * @returns the learner's newest certificate of the course or path.
 */
export async function openCertificate(
  db: Db,
  session: ClientSession,
  completion: CertifiedItem & Pick<Certificate, "userId" | "courseTitle" | "completionDate">,
  knownName?: string | null,
): Promise<Certificate> {
  const { completionDate } = completion;
  const { newest, validMonths, name } = await findOpening(db, session, completion);
  if (newest && isRunning(newest, completionDate)) return newest;
  const expiresAt = validMonths ? addMonths(completionDate, validMonths) : undefined;
  const certificate = {
    ...completion,
    itemId: String(completion.pathId ?? completion.courseId),
    // Its unique key keeps two completions from making two certificates.
    ...(newest && { ordinal: (newest.ordinal ?? 1) + 1 }),
    ...(expiresAt && { expiresAt }),
    certificateId: randomUUID(),
    studentName: shownName(knownName === undefined ? name : knownName),
    status: "pending" as const,
    nextAttemptAt: new Date(),
  };
  const [created] = await db.Certificate.create([certificate], { session });
  if (!created) throw new Error("the certificate was not created");
  return created.toObject() as Certificate;
}

/** Reads by one command what decides on a further certificate: the newest one, the template, the name. */
async function findOpening(
  db: Db,
  session: ClientSession,
  completion: CertifiedItem & Pick<Certificate, "userId">,
): Promise<{ newest?: Certificate; validMonths: number | null; name: string | null }> {
  const { userId, courseId, pathId } = completion;
  const ofTemplate = [{ $match: { _id: pathId ?? courseId } }, { $project: { validMonths: 1 } }];
  const ofUser = [{ $match: { _id: userId } }, { $project: { name: 1 } }];
  type Row = Certificate | Pick<CertificateTemplate, "validMonths"> | Pick<User, "name">;
  const rows = await db.Certificate.aggregate<Row>([
    { $match: certificateKey(completion) },
    { $sort: { ordinal: -1 } },
    { $limit: 1 },
    { $unionWith: { coll: db.CertificateTemplate.collection.name, pipeline: ofTemplate } },
    { $unionWith: { coll: db.User.collection.name, pipeline: ofUser } },
  ]).session(session);
  const newest = rows.find((row) => "certificateId" in row);
  const template = rows.find((row) => "validMonths" in row);
  const user = rows.find((row) => "name" in row);
  return { ...(newest && { newest }), validMonths: template?.validMonths ?? null, name: user?.name ?? null };
}

/** Finds the learner's newest certificate of a course. */
export function findCertificate(
  db: Db,
  userId: string,
  courseId: string | Types.ObjectId,
  session: ClientSession | null = null,
): Promise<Certificate | null> {
  const newest = { ordinal: -1 } as const;
  return db.Certificate.findOne({ userId, courseId }).sort(newest).session(session).lean<Certificate>().exec();
}

/**
 * Brings a certificate to `issued`: renders the PDF and stores it under a name fixed by its id, so that a repeat
 * overwrites. One production at a time across all instances; the other callers wait for its result.
 * @param found the certificate, read just now.
 * @param until time, as of `Date.now()`, after which nothing more is begun. A production that runs is not cut short.
 * @throws UserNotFound while there is no user record to take the name from; NameMissing while it has no name that shows
 *   something; CertificateBusy when another one
 *   has not ended by then; whatever rendering or storage throws.
 */
export async function issueCertificate(deps: CertificateDeps, found: Certificate, until: number): Promise<IssueResult> {
  let certificate = found;
  for (let polls = 0; ; polls += 1) {
    if (isIssued(certificate)) return { certificate, created: false };
    if (certificate.revokedAt) throw NoLongerValid();
    if (Date.now() > until) throw new CertificateBusy("another request is producing the certificate");
    const name = certificateLease(certificate.certificateId);
    const work = () => produce(deps, certificate);
    const issue = await withLease(deps.db, name, work, { ttlMs: leaseMs, once: true });
    if (issue) return issue;
    await sleep(backoffMs(polls, pollPauses));
    certificate = await deps.db.Certificate.findById(certificate._id).lean<Certificate>().orFail();
  }
}

/** How long a production waits for another one of the same certificate. */
const maxProductionWaitMs = 1_000;

/** Produces the PDF of a certificate. @returns `left` while another call produces it. */
export async function produceCertificate(deps: CertificateDeps, certificate: Certificate): Promise<"done" | "left"> {
  try {
    await issueCertificate(deps, certificate, Date.now() + maxProductionWaitMs);
    return "done";
  } catch (error) {
    if (error instanceof CertificateBusy) return "left";
    throw waitsForName(error)
      ? new Error("the identity provider has reported no name of the learner", { cause: error })
      : error;
  }
}

/** Runs under the certificate's lease. */
async function produce(deps: CertificateDeps, certificate: Certificate): Promise<IssueResult> {
  const { db } = deps;
  try {
    const studentName = shownName(certificate.studentName) ?? (await takeName(deps.db, certificate));
    const { content, templateHash } = await drawCertificate(deps, certificate, studentName);
    // The file's name is fixed, so the next attempt overwrites the file of an upload that took too long.
    const pdfUrl = await storePdf(deps, certificateFile(certificate), content);
    const issued = await setIssued(db, certificate, { pdfUrl, ...(templateHash && { templateHash }) });
    const result = issued ?? (await db.Certificate.findById(certificate._id).lean<Certificate>().orFail());
    if (!isIssued(result)) throw new Error("the certificate vanished while it was produced");
    return { certificate: result, created: issued !== null };
  } catch (error) {
    // The caller gets the first error.
    await delayNextAttempt(db, certificate, error).catch(() => undefined);
    throw error;
  }
}

/** When the learner is told that a valid certificate ends. */
export const endNotice = ({ expiresAt }: Pick<Certificate, "expiresAt">) =>
  expiresAt ? { noticeDueAt: daysBefore(expiresAt, expiringDays) } : {};

/** @returns the certificate; null when it was issued already, or is gone. */
function setIssued(
  db: Db,
  certificate: Certificate,
  produced: Pick<Certificate, "pdfUrl" | "templateHash">,
): Promise<Certificate | null> {
  return db.transaction(async (session) => {
    const issued = await db.Certificate.findOneAndUpdate(
      { _id: certificate._id, status: "pending" },
      { $set: { status: "issued", issuedAt: new Date(), ...produced, ...endNotice(certificate) } },
      { session, returnDocument: "after" },
    ).lean<Certificate>();
    if (!issued) return null;
    const { certificateId, userId, courseId, pathId, pdfUrl, expiresAt = null } = issued;
    const facts = { certificateId, userId, courseId, pathId, pdfUrl: pdfUrl ?? "", edition: 1, expiresAt };
    await recordEvent(db, session, "certificate.issued", facts);
    return issued;
  });
}

/** Takes the name of the profile. Runs under the certificate's lease. @throws UserNotFound, NameMissing */
async function takeName(db: Db, { _id, userId }: Certificate): Promise<string> {
  const user = await db.User.findById(userId, { name: 1 }).lean();
  const studentName = shownName(user?.name);
  // Version 1.0 stored empty names. As null, they are counted among the certificates that wait.
  const differs = { _id, status: "pending", studentName: { $ne: studentName } } as const;
  await db.Certificate.updateOne(differs, { $set: { studentName } });
  if (!user) throw UserNotFound();
  if (studentName === null) throw NameMissing();
  return studentName;
}

/** The name if it shows something, otherwise null. */
export const shownName = (name: string | null | undefined): string | null =>
  name === undefined || name === null || showsNothing(name) ? null : name;

/** Whether a certificate waits for a name. */
export const isNameless = ({ status, studentName }: Pick<Certificate, "status" | "studentName">): boolean =>
  status === "pending" && shownName(studentName) === null;

/** Whether a production failed because the learner has no profile, or no name in it. */
const waitsForName = (error: unknown): boolean => isFailure(error, UserNotFound) || isFailure(error, NameMissing);

const isFailure = (error: unknown, { id }: { readonly id: string }): boolean =>
  error instanceof ApiError && error.id === id;

/** Makes the pending certificates of a learner due, in the transaction that stores the learner's first name. */
export async function hastenCertificates(db: Db, session: ClientSession, userId: string): Promise<void> {
  await db.Certificate.updateMany(
    { userId, status: "pending" },
    { $set: { attempts: 0, nextAttemptAt: new Date() } },
    { session },
  );
  session.once("ended", () => db.jobWakeups.emit("Certificate"));
}

/**
 * Lengthens the pause before the background job's next attempt. Does nothing when that has been done since the
 * certificate was read.
 */
async function delayNextAttempt(
  db: Db,
  { _id, attempts, nextAttemptAt }: Pick<Certificate, "_id" | "attempts" | "nextAttemptAt">,
  error: unknown,
): Promise<void> {
  const pauses = isFailure(error, NameMissing) ? namelessPauses : attemptPauses;
  const next = new Date(Date.now() + backoffMs(attempts, pauses));
  await db.Certificate.updateOne(
    { _id, status: "pending", nextAttemptAt },
    { $inc: { attempts: 1 }, $set: { nextAttemptAt: next } },
  );
  db.jobWakeups.emit("Certificate");
}

/** Whether a certificate has a PDF. It is gone once the certificate is revoked. */
export function isIssued(certificate: Certificate | null): certificate is IssuedCertificate {
  return certificate?.status === "issued" && !certificate.revokedAt;
}
