import { readFileSync } from "node:fs";
import type { Brand } from "@lyceum/certificate-pdf/brand";
import { longDate } from "@lyceum/certificate-pdf/long-date";
import type { Config } from "../../config.js";
import { badgeAddress } from "../credentials/describe-credential.js";
import { publicPage } from "../public-page.js";
import type { VerifiedCertificate } from "./verify-certificate.js";

const readPart = (file: string): string =>
  readFileSync(new URL(`./verification-page/${file}`, import.meta.url), "utf8");
const kind = "Certificate verification";
const details = readPart("details.html");
const outcomes = {
  valid: {
    kind,
    title: "Certificate verified",
    content: `${readPart("verified.html")}${details}`,
    head: readPart("head.html"),
  },
  expired: { kind, title: "Certificate expired", content: `${readPart("expired.html")}${details}` },
  revoked: { kind, title: "Certificate revoked", content: readPart("revoked.html") },
  notFound: { kind, title: "Certificate not found", content: readPart("not-found.html") },
  fault: { kind, title: "Verification unavailable", content: readPart("fault.html") },
};

/** A row of the details, for a date that not every certificate has. */
const row = (label: string, date: string): string =>
  `<div><dt>${label}</dt><dd><time datetime="{{${date}At}}">{{${date}On}}</time></dd></div>\n`;

/** The values of a date on the page. */
const dateValues = (name: string, date: Date | null | undefined) =>
  date ? { [`${name}At`]: date.toISOString(), [`${name}On`]: longDate(date) } : {};

/** The page on which a certificate is verified in a browser: the record, "not found" for null, or "fault". */
export function verificationPage(
  result: VerifiedCertificate | null | "fault",
  brand: Brand,
  { backendUrl }: Pick<Config, "backendUrl">,
): string {
  if (result === null || result === "fault") return publicPage(outcomes[result ?? "notFound"], brand);
  const { certificateId, kind: item, courseTitle, issuedAt } = result;
  const badgeUrl = badgeAddress(backendUrl, result);
  const facts = { certificateId, item, courseTitle, badgeUrl, ...dateValues("issued", issuedAt) };
  if (result.state === "revoked")
    return publicPage({ ...outcomes.revoked, values: { ...facts, ...dateValues("revoked", result.revokedAt) } }, brand);
  const { state, studentName, completionDate, expiresAt, reissuedAt } = result;
  const rows = [
    ...(reissuedAt ? [row("Issued again on", "reissued")] : []),
    ...(expiresAt ? [row("Valid until", "expires")] : []),
  ];
  const outcome = outcomes[state];
  const content = outcome.content.replace("{{rows}}", rows.join(""));
  const values = {
    ...facts,
    studentName,
    ...dateValues("completed", completionDate),
    ...dateValues("reissued", reissuedAt),
    ...dateValues("expires", expiresAt),
  };
  return publicPage({ ...outcome, content, values }, brand);
}
