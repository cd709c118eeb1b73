import type { ManagedCertificate } from "@lyceum/client";

export const states = {
  pending: "Being prepared",
  valid: "Valid",
  expiring: "Expires soon",
  expired: "Expired",
  revoked: "Revoked",
};

/** Days before its end from which a certificate expires soon. */
const expiringDays = 30;
const dayMs = 24 * 60 * 60_000;

type Ends = Pick<ManagedCertificate, "state" | "expiresAt">;

/** Shows the state of a certificate. A valid one with at most 30 days left expires soon. */
export function State({ certificate: { state, expiresAt } }: { certificate: Ends }) {
  const isExpiring = state === "valid" && expiresAt && Date.parse(expiresAt) - Date.now() <= expiringDays * dayMs;
  const shown = isExpiring ? "expiring" : state;
  return <span className={`badge ${shown}`}>{states[shown]}</span>;
}
