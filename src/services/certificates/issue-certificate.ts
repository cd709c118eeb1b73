import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createBrand } from "@lyceum/certificate-pdf/brand";
import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { withLease } from "../../db/lease.js";
import type { Deps } from "../../deps.js";
import { backoffMs } from "../../lib/backoff.js";
import { ApiError, failure } from "../../lib/errors.js";
import { showsNothing } from "../../lib/fields.js";
import { within } from "../../lib/within.js";
import type { Certificate } from "../../models/learning/certificate.js";
import { recordEvent } from "../events/record-event.js";
import { UserNotFound } from "../failures.js";

type CertificateDeps = Pick<Deps, "db" | "storage" | "config" | "renderInTurn">;
type IssuedCertificate = Certificate & { status: "issued"; pdfUrl: string; issuedAt: Date };

interface IssueResult {
  certificate: IssuedCertificate;
  /** Whether this very call produced the PDF. */
  created: boolean;
}

/** Another production did not end before the caller's time limit. */
class CertificateBusy extends Error {}

/** The media storage did not take a PDF. */
export class StorageFailed extends Error {}

export const NameMissing = failure("name_missing", 409, "Add your name first");

/** How long a crashed production blocks the next one. A running one renews its lease. */
const leaseMs = 6_000;

/** Time after which an upload counts as failed, so that the next attempt can begin. */
const storageMs = 10_000;

/** Pauses between the background job's attempts: at most 5 minutes with their jitter. */
export const attemptPauses = { firstMs: 2_000, maxMs: 4 * 60_000 };
/** Pauses while the profile has no name. The identity event that brings one ends the pause. */
const namelessPauses = { firstMs: 2_000, maxMs: 24 * 60 * 60_000 };
/** Pauses between polls of a certificate that another caller produces. */
const pollPauses = { firstMs: 20, maxMs: 400 };

/** Name of the lease for storing or removing the PDF of a certificate. */
export const certificateLease = (certificateId: string): string => `certificate:${certificateId}`;

/** The place of the PDF in the media storage. */
export const certificateFile = (certificateId: string) =>
  ({ publicId: `certificates/${certificateId}.pdf`, kind: "raw" }) as const;

/**
 * Creates the row of a certificate as `pending`, in the transaction that completes the course. Name and title are taken
 * now and never change. Without a name that shows something, the name stays open until there is one.
 * @param knownName the name if it was read already; null without a user record.
 * @returns the row, which may have been there before.
 */
export async function openCertificate(
  db: Db,
  session: ClientSession,
  completion: Pick<Certificate, "userId" | "courseId" | "courseTitle" | "completionDate">,
  knownName?: string | null,
): Promise<Certificate> {
  const { userId, courseId } = completion;
  const studentName =
    knownName === undefined
      ? ((await db.User.findById(userId, { name: 1 }).session(session).lean())?.name ?? null)
      : knownName;
  return db.Certificate.findOneAndUpdate(
    { userId, courseId },
    {
      $setOnInsert: {
        ...completion,
        certificateId: randomUUID(),
        studentName: shownName(studentName),
        status: "pending",
        nextAttemptAt: new Date(),
      },
    },
    { upsert: true, session, returnDocument: "after" },
  )
    .lean<Certificate>()
    .orFail();
}

export function findCertificate(
  db: Db,
  userId: string,
  courseId: string | Types.ObjectId,
): Promise<Certificate | null> {
  return db.Certificate.findOne({ userId, courseId }).lean<Certificate>().exec();
}

/**
 * Finds what anyone may see of an issued certificate; null for any other id.
 * @param typedId from a printed certificate: letter case and spaces around it do not count.
 */
export async function findIssuedCertificate(db: Db, typedId: string) {
  const wanted = { certificateId: typedId.trim().toLowerCase(), status: "issued" } as const;
  const found = await db.Certificate.findOne(wanted).lean<Certificate>();
  if (!found?.issuedAt) return null;
  const { certificateId, studentName, courseTitle, completionDate, issuedAt } = found;
  return { certificateId, studentName: studentName ?? "", courseTitle, completionDate, issuedAt };
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

function tooSlow(): never {
  throw new Error(`the media storage took over ${storageMs} ms`);
}

/** Runs under the certificate's lease. */
async function produce(deps: CertificateDeps, certificate: Certificate): Promise<IssueResult> {
  const { db, storage, config } = deps;
  try {
    const { _id, userId, certificateId, courseTitle, completionDate } = certificate;
    const studentName = shownName(certificate.studentName) ?? (await takeName(db, certificate));
    const verifyUrl = `${config.backendUrl}/api/certificate/verify/${certificateId}`;
    // Drawing takes much memory, so it is loaded with the first certificate.
    const { renderCertificate } = await import("@lyceum/certificate-pdf");
    const details = { certificateId, studentName, courseTitle, completionDate, verifyUrl };
    const content = await deps.renderInTurn(userId, () => renderCertificate(details, createBrand(config.platform)));
    const file = { ...certificateFile(certificateId), content };
    // The file's name is fixed, so the next attempt overwrites the file of an upload that took too long.
    const pdfUrl = await within({ ms: storageMs, late: tooSlow }, () => storage.put(file, storageMs)).catch(
      (error: Error) => {
        throw new StorageFailed(error.message, { cause: error });
      },
    );
    const issued = await setIssued(db, _id, pdfUrl);
    const result = issued ?? (await db.Certificate.findById(_id).lean<Certificate>().orFail());
    if (!isIssued(result)) throw new Error("the certificate vanished while it was produced");
    return { certificate: result, created: issued !== null };
  } catch (error) {
    // The caller gets the first error.
    await delayNextAttempt(db, certificate, error).catch(() => undefined);
    throw error;
  }
}

/** @returns the certificate; null when it was issued already, or is gone. */
function setIssued(db: Db, _id: Certificate["_id"], pdfUrl: string): Promise<Certificate | null> {
  return db.transaction(async (session) => {
    const issued = await db.Certificate.findOneAndUpdate(
      { _id, status: "pending" },
      { $set: { status: "issued", issuedAt: new Date(), pdfUrl } },
      { session, returnDocument: "after" },
    ).lean<Certificate>();
    if (!issued) return null;
    const { certificateId, userId, courseId } = issued;
    await recordEvent(db, session, "certificate.issued", { certificateId, userId, courseId, pdfUrl });
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
const shownName = (name: string | null | undefined): string | null =>
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

export function isIssued(certificate: Certificate | null): certificate is IssuedCertificate {
  return certificate?.status === "issued";
}
