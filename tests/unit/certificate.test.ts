import { expect, test } from "vitest";
import { renderCertificate } from "../../src/services/certificates/render-certificate.js";

const facts = {
  certificateId: "6f1c2b9e-4d3a-4c57-9a1e-2f0b8d7c6e55",
  studentName: "Asha Rao",
  courseTitle: "Distributed Systems in Practice",
  completionDate: new Date("2026-11-21T23:30:00Z"),
  verifyUrl: "https://learn.example.org/api/certificate/verify/6f1c2b9e-4d3a-4c57-9a1e-2f0b8d7c6e55",
};

test("the same facts give the same bytes, whatever was drawn before", async () => {
  const first = await renderCertificate(facts);
  await renderCertificate({ ...facts, studentName: "Ω K Å – क्षत्रिय" });
  expect((await renderCertificate(facts)).equals(first)).toBe(true);
  expect(first.subarray(0, 8).toString()).toBe("%PDF-1.7");
});
