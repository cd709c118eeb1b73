import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Brand } from "@lyceum/certificate-pdf/brand";
import { longDate } from "@lyceum/certificate-pdf/long-date";
import { fillHtml } from "../../lib/escape-html.js";

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
const [frame, style] = [readPart("page.html"), readPart("style.css")];
const outcomes = {
  verified: { title: "Certificate verified", content: readPart("verified.html") },
  notFound: { title: "Certificate not found", content: readPart("not-found.html") },
  fault: { title: "Verification unavailable", content: readPart("fault.html") },
};

/**
 * The page on which a certificate is verified in a browser: the record, "not found" for null, or "fault".
 * A whole HTML document without scripts or outside resources; every value is escaped.
 */
export function verificationPage(result: VerifiedCertificate | null | "fault", brand: Brand): string {
  const { title, content } = outcomes[result === null ? "notFound" : result === "fault" ? "fault" : "verified"];
  const { name, mark, palette } = brand;
  const template = frame.replace("{{content}}", content).replace("{{style}}", `<style>${styleOf(palette)}</style>`);
  const values = { title, name, markSize: String(mark.size), markPath: mark.path };
  if (result === null || result === "fault") return fillHtml(template, values);
  const { completionDate, issuedAt, ...texts } = result;
  return fillHtml(template, {
    ...values,
    ...texts,
    completedAt: completionDate.toISOString(),
    completedOn: longDate(completionDate),
    issuedAt: issuedAt.toISOString(),
    issuedOn: longDate(issuedAt),
  });
}

function styleOf(palette: Brand["palette"]): string {
  const colors = Object.entries(palette).map(([name, color]) => `--brand-${name}: ${color};`);
  return `:root { ${colors.join(" ")} }\n${style}`;
}

/** For a Content-Security-Policy: `style-src '…'` with this source allows the style of the page, and nothing else. */
export const verificationPageStyleHash = ({ palette }: Brand): string =>
  `sha256-${createHash("sha256").update(styleOf(palette)).digest("base64")}`;
