import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { type Certificate, certificatesOf } from "../../models/learning/certificate.js";
import type { Actor } from "../audit/record-audit.js";
import { UserNotFound } from "../failures.js";
import {
  type CertificateChange,
  CertificateRevoked,
  changeInTurn,
  makeEdition,
  NothingToChange,
} from "./change-certificate.js";
import { type CertificateDeps, shownName } from "./issue-certificate.js";
import { certifiedItem, type ManagedItem } from "./managed-item.js";
import { findTemplateFields, templateHash } from "./templates.js";

export const ReissuedTooOften = failure("reissued_too_often", 409, "Certificate was reissued too often");

/** Editions that a learner may make. */
const maxLearnerEditions = 3;

/** Why a learner cannot have a further edition; undefined if they can. @param name of the profile; undefined without one. */
export function refuseReissue(certificate: Certificate, name: string | undefined) {
  if (name === undefined) return UserNotFound;
  if (certificate.revokedAt) return CertificateRevoked;
  const shown = shownName(name);
  if (shown === null || shown === certificate.studentName) return NothingToChange;
  return (certificate.learnerEditions ?? 0) >= maxLearnerEditions ? ReissuedTooOften : undefined;
}

const findName = async (db: Db, userId: string): Promise<string | undefined> =>
  (await db.User.findById(userId, { name: 1 }).lean())?.name;

/**
 * Makes a further edition of a learner's own certificate, with the name of the profile.
 * @throws CertificateNotFound, UserNotFound, CertificateRevoked, NothingToChange, ReissuedTooOften, and errors of the
 *   production.
 */
export function reissueOwn(deps: CertificateDeps, certificateId: string, actor: Actor): Promise<Certificate> {
  const { db } = deps;
  const { userId } = actor;
  return changeInTurn(db, { certificateId, userId }, async (certificate) => {
    const name = await findName(db, userId);
    const refusal = refuseReissue(certificate, name);
    if (refusal) throw refusal();
    return makeEdition(deps, certificate, shownName(name) ?? "", { actor, reason: null });
  });
}

/**
 * Makes a further edition of a certificate of a course or path, with the given name, otherwise the profile's or the present one. A
 * revoked certificate is valid again.
 * @throws CertificateNotFound, NothingToChange, and errors of the production.
 */
export function reissueManaged(
  deps: CertificateDeps,
  item: ManagedItem,
  {
    certificateId,
    studentName,
    ...change
  }: CertificateChange & { certificateId: string; studentName?: string | undefined },
): Promise<Certificate> {
  const { db } = deps;
  return changeInTurn(db, { certificateId, ...certificatesOf(certifiedItem(item)) }, async (certificate) => {
    const former = certificate.studentName ?? "";
    const name = studentName ?? shownName(await findName(db, certificate.userId)) ?? former;
    const isSame = name === former && !certificate.revokedAt;
    if (isSame && templateHash(await findTemplateFields(db, item._id)) === certificate.templateHash)
      throw NothingToChange();
    return makeEdition(deps, certificate, name, change);
  });
}
