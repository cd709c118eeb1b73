import { readArguments } from "#server/cli/arguments.js";
import { withDatabase } from "#server/cli/with-database.js";
import type { Db } from "#server/db/db.js";
import { isObjectId } from "#server/lib/fields.js";
import { CommandError, run } from "#server/process.js";
import { certificateState, editionOf } from "#server/services/certificates/certificate-state.js";
import { certificateFile } from "#server/services/certificates/draw-certificate.js";
import { findCertificate } from "#server/services/certificates/issue-certificate.js";
import { findProgress } from "#server/services/learning/record-progress.js";

const usage = "npm run certificate -- <user id> <course id>";

/**
 * `npm run certificate -- <user id> <course id>` prints what is known of a learner's certificate. Exit code 1 when there
 * is no certificate.
 */
async function main(): Promise<void> {
  const [userId, courseId = ""] = readArguments(usage, {}, 2).positionals;
  if (userId === undefined || !isObjectId(courseId)) throw new CommandError(`Usage: ${usage}`);
  await withDatabase(async (db) => {
    process.stdout.write(`${await describe(db, userId, courseId)}\n`);
  });
}

async function describe(db: Db, userId: string, courseId: string): Promise<string> {
  const certificate = await findCertificate(db, userId, courseId);
  if (!certificate) {
    const { completed, lectureCompleted = [] } = (await findProgress(db, userId, courseId)) ?? {};
    const state = completed ? "although the course is completed" : "because the course is not completed";
    throw new CommandError(`There is no certificate, ${state}: ${lectureCompleted.length} lectures completed`);
  }
  const { certificateId, status, studentName, completionDate, attempts, nextAttemptAt, issuedAt, pdfUrl } = certificate;
  const hasProfile = (await db.User.exists({ _id: userId })) !== null;
  const facts = {
    certificate: certificateId,
    state: certificateState(certificate),
    edition: editionOf(certificate),
    expires: certificate.expiresAt?.toISOString() ?? "never",
    name: studentName ?? "unknown until the identity provider reports it",
    profile: hasProfile ? "present" : "missing",
    completed: completionDate.toISOString(),
    issued: issuedAt?.toISOString() ?? "no",
    attempts,
    "next attempt": status === "pending" ? nextAttemptAt.toISOString() : "none",
    file: certificateFile(certificate).publicId,
    address: pdfUrl ?? "none",
  };
  return Object.entries(facts)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

run(main);
