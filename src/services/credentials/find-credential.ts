import { randomUUID } from "node:crypto";
import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Deps, Issuer } from "../../deps.js";
import type { Course } from "../../models/courses/course.js";
import type { Certificate } from "../../models/learning/certificate.js";
import { certificateState } from "../certificates/certificate-state.js";
import { CertificateNotFound, CertificateRevoked } from "../certificates/change-certificate.js";
import { requiredAmong } from "../learning/completion.js";
import { describeCredential, type PlacedCertificate } from "./describe-credential.js";

/** Entries of a status list: the least that the standard allows, because the number hides whose entry is read. */
export const entriesPerList = 131_072;

/** How often a call starts again because another call or a reissue was faster. */
const maxTries = 5;

const isPlaced = (certificate: Certificate): certificate is PlacedCertificate => certificate.credential !== undefined;

export interface CredentialDeps extends Pick<Deps, "db" | "config"> {
  readonly issuer: Issuer;
}

/**
 * Returns the signed credential of the present edition of a learner's certificate. The first call signs and stores it. Of
 * calls on several instances, the first stored text is everyone's.
 * @throws CertificateNotFound, CertificateRevoked
 */
export async function findCredential(
  deps: CredentialDeps,
  userId: string,
  certificateId: string,
): Promise<{ text: string; certificate: Certificate }> {
  const { db } = deps;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const certificate = await db.Certificate.findOne({ certificateId, userId }).lean<Certificate>();
    if (!certificate || certificate.status === "pending") throw CertificateNotFound();
    if (certificateState(certificate) === "revoked") throw CertificateRevoked();
    if (certificate.credential?.text) return { text: certificate.credential.text, certificate };
    const placed = isPlaced(certificate) ? certificate : await givePlace(db, certificate);
    if (!placed) continue;
    const text = await signText(deps, placed);
    if (await storeText(db, placed, text)) return { text, certificate: placed };
  }
  throw new Error(`the certificate ${certificateId} goes on changing while its credential is made`);
}

/**
 * Gives a certificate the next free entry of the newest status list, before anything is signed: an entry whose credential
 * was never stored is used by the next call.
 * @returns the certificate as it is then; null when it has changed meanwhile.
 */
function givePlace(db: Db, { _id }: Certificate): Promise<PlacedCertificate | null> {
  return db.transaction(
    async (session) => {
      const unmarked = {
        _id,
        status: "issued",
        revokedAt: { $exists: false },
        credential: { $exists: false },
      } as const;
      if (!(await db.Certificate.exists(unmarked).session(session))) return null;
      const credential = { id: randomUUID(), ...(await takeEntry(db, session)) };
      const options = { session, returnDocument: "after" } as const;
      return db.Certificate.findOneAndUpdate(unmarked, { $set: { credential } }, options).lean<PlacedCertificate>();
    },
    { mutex: "status-list" },
  );
}

async function takeEntry(db: Db, session: ClientSession): Promise<{ list: number; index: number }> {
  const newest = await db.StatusList.findOne().sort({ _id: -1 }).session(session).lean();
  if (newest && newest.taken < entriesPerList) {
    await db.StatusList.updateOne({ _id: newest._id }, { $inc: { taken: 1 } }, { session });
    return { list: newest._id, index: newest.taken };
  }
  const list = (newest?._id ?? 0) + 1;
  await db.StatusList.create([{ _id: list, taken: 1, version: 0 }], { session });
  return { list, index: 0 };
}

async function signText({ db, config, issuer }: CredentialDeps, certificate: PlacedCertificate): Promise<string> {
  const { courseId, pathId, userId } = certificate;
  const course =
    courseId &&
    (await db.Course.findById(courseId, { courseDescription: 1, "assessments.requiredPercent": 1 }).lean<
      Pick<Course, "courseDescription" | "assessments">
    >());
  const path = pathId && (await db.Path.findById(pathId, { description: 1 }).lean());
  const user = await db.User.findById(userId, { verifiedEmail: 1 }).lean();
  const facts = {
    did: issuer.did,
    config,
    description: course?.courseDescription ?? path?.description ?? "",
    hasRequiredAssessments: requiredAmong(course?.assessments).length > 0,
    email: user?.verifiedEmail ?? "",
  };
  return JSON.stringify(await issuer.sign(describeCredential(certificate, facts)));
}

/** @returns whether this text is the credential's. It is not when the edition has ended, or another text was first. */
function storeText(db: Db, { _id, credential }: PlacedCertificate, text: string): Promise<boolean> {
  const unsigned = { _id, "credential.id": credential.id, "credential.text": { $exists: false } };
  return db.transaction(async (session) => {
    const set = { $set: { "credential.text": text } };
    return (await db.Certificate.updateOne(unsigned, set, { session })).matchedCount > 0;
  });
}
