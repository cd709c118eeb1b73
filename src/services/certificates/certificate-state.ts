import { dayMs } from "../../lib/days.js";
import type { Certificate } from "../../models/learning/certificate.js";

export const certificateStates = ["pending", "valid", "expired", "revoked"] as const;
export type CertificateState = (typeof certificateStates)[number];

type Ends = Pick<Certificate, "expiresAt" | "revokedAt">;

/** Says whether a certificate holds at a moment. A revoked one does not expire. */
export function certificateState(
  { status, expiresAt, revokedAt }: Ends & Pick<Certificate, "status">,
  now = new Date(),
): CertificateState {
  if (status === "pending") return "pending";
  if (revokedAt) return "revoked";
  return expiresAt && expiresAt <= now ? "expired" : "valid";
}

/** A certificate with at most this many days left can be renewed. */
const renewableDays = 90;

/** Whether a certificate runs out soon, or has run out. */
export const endsSoon = ({ expiresAt }: Pick<Certificate, "expiresAt">, now = new Date()): boolean =>
  expiresAt !== undefined && daysBefore(expiresAt, renewableDays) <= now;

/** Whether the learner gets no further certificate of the course beside this one. */
export const isRunning = (certificate: Ends & Pick<Certificate, "status">, now = new Date()): boolean =>
  certificate.status === "pending" || !(certificate.revokedAt || endsSoon(certificate, now));

/** The learner is told this many days before a certificate ends; from then on educators see it as expiring. */
export const expiringDays = 30;

/** The moment so many days before another one. */
export const daysBefore = (end: Date, days: number): Date => daysAfter(end, -days);

/** The moment so many days after another one. */
export const daysAfter = (begin: Date, days: number): Date => new Date(begin.getTime() + days * dayMs);

/** Adds calendar months in UTC. A day that the month lacks becomes its last day. */
export function addMonths(date: Date, months: number): Date {
  const end = new Date(date);
  end.setUTCMonth(end.getUTCMonth() + months);
  if (end.getUTCDate() !== date.getUTCDate()) end.setUTCDate(0);
  return end;
}

/** The edition of a certificate that holds. */
export const editionOf = ({ edition = 1 }: Pick<Certificate, "edition">): number => edition;
