import type { QueryFilter, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { behind, findAfter } from "../../db/ordered-list.js";
import { emailForms } from "../../lib/email-address.js";
import { textPattern, wholeTextPattern } from "../../lib/text-pattern.js";
import { type Certificate, certificatesOf, describeItem } from "../../models/learning/certificate.js";
import { certificateState, certificateStates, daysAfter, editionOf, expiringDays } from "./certificate-state.js";
import { certifiedItem, type ManagedItem } from "./managed-item.js";

/** `expiring`: valid, and ends soon. */
export const listedStates = [...certificateStates, "expiring"] as const;
type ListedState = (typeof listedStates)[number];

export interface CertificatesQuery {
  readonly state?: ListedState | undefined;
  /** Part of a name in any case, or a whole e-mail address. */
  readonly q?: string | undefined;
}

type Place = readonly [completionDate: Date, _id: Types.ObjectId];

const sort = { completionDate: -1, _id: -1 } as const;

/** Lists the certificates of a course or path, newest completion first. */
export function listManagedCertificates(db: Db, item: ManagedItem, { state, q }: CertificatesQuery) {
  const filter = { ...certificatesOf(certifiedItem(item)), ...inState(state) };
  return {
    async find(after: Place | undefined, limit: number): Promise<Certificate[]> {
      if (!q) return findAfter(db.Certificate, { filter, sort, after, limit });
      // The database reads the profiles of learners in their order, until the page is full.
      const emails = q.includes("@") ? emailForms(q).map((form) => ({ "users.email": wholeTextPattern(form) })) : [];
      const users = { from: db.User.collection.name, localField: "userId", foreignField: "_id", as: "users" };
      const names = [{ status: "issued", studentName: textPattern(q) }, { "users.name": textPattern(q) }];
      return db.Certificate.aggregate<Certificate>([
        { $match: { $and: [filter, behind(sort, after)] } },
        { $sort: sort },
        { $lookup: users },
        { $match: { $or: [...names, ...emails] } },
        { $limit: limit },
        { $project: { users: 0 } },
      ]);
    },
    keyOf: ({ completionDate, _id }: Certificate): Place => [completionDate, _id],
    describe: (rows: readonly Certificate[]) => rows.map(describeManagedCertificate),
  };
}

/** Shows a certificate to those who manage its course or path. */
export function describeManagedCertificate(row: Certificate) {
  const { certificateId, userId, studentName, completionDate, issuedAt } = row;
  const { expiresAt = null, revokedAt = null, revokedReason: reason = null } = row;
  const state = certificateState(row);
  const shown = {
    certificateId,
    ...describeItem(row),
    userId,
    studentName: state === "pending" ? null : studentName,
    state,
  };
  return { ...shown, edition: editionOf(row), completionDate, issuedAt, expiresAt, revokedAt, reason };
}

/** Filters the certificates of a state, which depends on the clock. */
function inState(state: ListedState | undefined): QueryFilter<Certificate> {
  const now = new Date();
  const issued = { status: "issued", revokedAt: null } as const;
  switch (state) {
    case undefined:
      return {};
    case "pending":
      return { status: "pending" };
    case "valid":
      return { ...issued, $nor: [{ expiresAt: { $lte: now } }] };
    case "expiring":
      return { ...issued, expiresAt: { $gt: now, $lte: daysAfter(now, expiringDays) } };
    case "expired":
      return { ...issued, expiresAt: { $lte: now } };
    case "revoked":
      return { status: "issued", revokedAt: { $gt: new Date(0) } };
  }
}
