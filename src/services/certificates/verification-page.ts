import { readFileSync } from "node:fs";
import type { Brand } from "@lyceum/certificate-pdf/brand";
import { longDate } from "@lyceum/certificate-pdf/long-date";
import { publicPage } from "../public-page.js";

/** What the public may see of an issued certificate. */
export interface VerifiedCertificate {
  certificateId: string;
  studentName: string;
  courseTitle: string;
  completionDate: Date;
  issuedAt: Date;
}

const readPart = (file: string): string =>
  readFileSync(new URL(`./verification-page/${file}`, import.meta.url), "utf8");
const kind = "Certificate verification";
const outcomes = {
  verified: { kind, title: "Certificate verified", content: readPart("verified.html") },
  notFound: { kind, title: "Certificate not found", content: readPart("not-found.html") },
  fault: { kind, title: "Verification unavailable", content: readPart("fault.html") },
};

/** The page on which a certificate is verified in a browser: the record, "not found" for null, or "fault". */
export function verificationPage(result: VerifiedCertificate | null | "fault", brand: Brand): string {
  if (result === null || result === "fault") return publicPage(outcomes[result ?? "notFound"], brand);
  const { completionDate, issuedAt, ...texts } = result;
  const values = {
    ...texts,
    completedAt: completionDate.toISOString(),
    completedOn: longDate(completionDate),
    issuedAt: issuedAt.toISOString(),
    issuedOn: longDate(issuedAt),
  };
  return publicPage({ ...outcomes.verified, values }, brand);
}
