import { createHash } from "node:crypto";
import { createBrand } from "@lyceum/certificate-pdf";
import fc from "fast-check";
import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { verificationPage as pageOf } from "../../../src/services/certificates/verification-page.js";
import { publicPageStyleHash } from "../../../src/services/public-page.js";

const lyceum = createBrand({ name: "Lyceum", color: "#0f766e", logo: undefined });
const platform = { backendUrl: "https://learn.example.org" };
const verificationPage = (result: Parameters<typeof pageOf>[0]) => pageOf(result, lyceum, platform);

const certificate = {
  certificateId: "6f1c2b9e-4d3a-4c57-9a1e-2f0b8d7c6e55",
  studentName: "Asha Rao",
  courseTitle: "Distributed Systems in Practice",
  completionDate: new Date("2026-11-21T23:30:00Z"),
  issuedAt: new Date("2026-11-22T00:10:00Z"),
  ...{ kind: "course" as const, courseId: new Types.ObjectId("665f1c2ab7e4d90012ab34cd"), pathId: null },
  state: "valid" as const,
  expiresAt: null,
  reissuedAt: null,
};
const { certificateId, kind, courseId, pathId, courseTitle, issuedAt } = certificate;
const item = { kind, courseId, pathId, courseTitle };
const revoked = { certificateId, ...item, issuedAt, state: "revoked" as const, revokedAt: issuedAt };
const results = [certificate, { ...certificate, state: "expired" as const }, revoked, null, "fault" as const];

describe("the verification page", () => {
  test("shows the record of an issued certificate, with days in UTC", () => {
    const page = verificationPage(certificate);
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    const { studentName } = certificate;
    for (const fact of ["Certificate verified", studentName, courseTitle, certificateId]) expect(page).toContain(fact);
    expect(page).toContain('<time datetime="2026-11-21T23:30:00.000Z">21 November 2026</time>');
    expect(page).toContain(">22 November 2026</time>");
  });

  test("says so when there is no such certificate, and blames no user when it could not look", () => {
    expect(verificationPage(null)).toContain("Certificate not found");
    expect(verificationPage("fault")).toContain("could not be checked");
    for (const page of [verificationPage(null), verificationPage("fault")]) {
      expect(page).not.toContain("Certificate verified");
    }
  });

  test("says until when a certificate is valid, and when it was issued again", () => {
    const dates = { reissuedAt: new Date("2026-12-01T00:00:00Z"), expiresAt: new Date("2027-11-21T23:30:00Z") };
    const page = verificationPage({ ...certificate, ...dates });
    for (const fact of ["Issued again on", ">1 December 2026<", "Valid until", ">21 November 2027<"])
      expect(page).toContain(fact);
    const expired = verificationPage({ ...certificate, ...dates, state: "expired" });
    expect(expired).toContain("Certificate expired");
    expect(expired).toContain("Asha Rao");
    expect(expired).not.toContain("og:");
  });

  test("names nobody on a revoked certificate", () => {
    const page = verificationPage(revoked);
    for (const fact of ["Certificate revoked", courseTitle, certificateId]) expect(page).toContain(fact);
    expect(page).not.toMatch(/Asha|og:/);
  });

  test("gives a valid certificate a card for links to it, and keeps every page out of searches", () => {
    const page = verificationPage(certificate);
    for (const [name, value] of [
      ["title", courseTitle],
      ["description", "Asha Rao, 21 November 2026"],
      ["image", `https://learn.example.org/api/course/${courseId}/badge.png`],
    ])
      expect(page).toContain(`<meta property="og:${name}" content="${value}">`);
    for (const each of results) expect(verificationPage(each)).toContain('<meta name="robots" content="noindex">');
  });

  test("loads nothing and runs nothing", () => {
    for (const page of results.map(verificationPage)) {
      expect(page).not.toMatch(/<script|<link|<img|<iframe|\bsrc=|\bhref=|url\(|@import|\bon\w+=|\bstyle=/i);
    }
  });

  test("carries one style, which the exported hash allows", () => {
    const styles = [...verificationPage(certificate).matchAll(/<style>([\s\S]*?)<\/style>/g)];
    expect(styles).toHaveLength(1);
    const digest = createHash("sha256")
      .update(styles[0]?.[1] ?? "")
      .digest("base64");
    expect(publicPageStyleHash(lyceum)).toBe(`sha256-${digest}`);
  });

  test("shows any value as text, never as markup", () => {
    const named = verificationPage({ ...certificate, studentName: `<b title="A">'&amp;'</b>` });
    expect(named).toContain("&lt;b title=&quot;A&quot;&gt;&#39;&amp;amp;&#39;&lt;/b&gt;");
    const empty = { ...certificate, certificateId: "", studentName: "", courseTitle: "" };
    const markup = (page: string) => page.replace(/content="[^"]*"/g, "").match(/<[^>]*>/g);
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."<>&\"'/ab=`") }),
        fc.string({ unit: "binary" }),
        fc.string({ unit: "binary" }),
        (studentName, courseTitle, certificateId) => {
          const page = verificationPage({ ...certificate, studentName, courseTitle, certificateId });
          expect(markup(page)).toEqual(markup(verificationPage(empty)));
          expect(page).not.toMatch(/&(?!(amp|lt|gt|quot|#39);)/);
        },
      ),
    );
  });
});

test("another platform has its own name, colour and mark", () => {
  const logo = { path: "M0 0 H24 V24 H0 Z", size: 24 };
  const brand = createBrand({ name: "Écoles & Fils", color: "#7c2d12", logo });
  const page = pageOf(certificate, brand, platform);
  expect(page).toContain("Écoles &amp; Fils issued this certificate");
  expect(page).toContain(
    '<svg viewBox="0 0 24 24" width="30" height="30" aria-hidden="true"><path d="M0 0 H24 V24 H0 Z"/>',
  );
  expect(page).toContain("--brand-main: #7c2d12");
  for (const ours of ["Lyceum", ...Object.values(lyceum.palette).filter((color) => color !== "#ffffff")]) {
    expect(page).not.toContain(ours);
  }
  expect(publicPageStyleHash(brand)).not.toBe(publicPageStyleHash(lyceum));
});
