import { expect, test, vi } from "vitest";
import type { Certificate } from "../../src/models/learning/certificate.js";
import { certificateRoom } from "../api/certificates/certified.js";
import { enroll } from "../factories/courses.js";
import { png } from "../factories/png.js";
import { addResource, resourceForm } from "../factories/resources.js";
import { describeInBrowser, expectToFit } from "./chromium.js";
import { newcomer, openExample, quiet, signIn } from "./open-example.js";

vi.setConfig({ testTimeout: 120_000 });

const dayMs = 24 * 60 * 60_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs);
const longTitle = "The long way round a mountain of words ".repeat(8).slice(0, 300);

/** Opens the example with an educator who has a course with a long title. */
async function openTeaching() {
  const { page, server, url } = await openExample();
  const meera = await newcomer(server, "Meera", "educator");
  const room = await certificateRoom(server);
  const changed = { ...quiet, courseTitle: longTitle, educatorId: meera.id };
  await server.deps.db.Course.updateOne({ _id: room.course._id }, changed);
  return { page, server, url, meera, room };
}

describeInBrowser("the example page", () => {
  test("a learner corrects a certificate, takes it away and renews it; every state is shown", async () => {
    const { page, server, url } = await openExample();
    const { db } = server.deps;
    const room = await certificateRoom(server);
    await db.Course.updateOne({ _id: room.course._id }, { ...quiet, courseTitle: "Git, calmly" });
    const asha = await newcomer(server, "Asha");
    await enroll(server, asha.id, room.course._id);
    const certificateId = await room.complete(asha);
    const waits = { userId: asha.id, status: "pending", nextAttemptAt: inDays(1) } as const;
    const issued = {
      ...waits,
      status: "issued",
      issuedAt: inDays(-400),
      pdfUrl: "https://media.example/a.pdf",
    } as const;
    const others: Partial<Certificate>[] = [
      { ...waits, studentName: null, courseTitle: "Waiting" },
      { ...issued, studentName: "Asha ".repeat(40), courseTitle: longTitle, expiresAt: inDays(-3) },
      { ...issued, studentName: "Asha", courseTitle: "x".repeat(300), revokedAt: inDays(-1), pdfUrl: null },
    ];
    for (const [index, row] of others.entries()) {
      const ids = {
        certificateId: `6f1c2b9e-4d3a-4c57-9a1e-2f0b8d7c6e0${index}`,
        courseId: `665f1c2ab7e4d90012ab340${index}`,
      };
      await db.Certificate.create({ ...row, ...ids, completionDate: inDays(-401 - index) });
    }
    await room.endIn(certificateId, 10);
    await db.User.updateOne({ _id: asha.id }, { name: "Asha Rao" });

    await page.goto(url);
    await signIn(page, "Asha");
    await page.getByRole("link", { name: "My certificates" }).press("Enter");
    const row = page.getByRole("listitem").filter({ hasText: "Git, calmly" });
    for (const state of ["Being prepared", "Expires soon", "Expired", "Revoked"])
      await page.getByText(state, { exact: true }).waitFor();
    await row.locator("summary", { hasText: "Correct the name" }).press("Enter");
    await expectToFit(page);
    await row.getByRole("button", { name: "Issue it again" }).press("Enter");
    await row.getByText("Issued to Asha Rao").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toMatch(/^Git, calmly/);
    expect(await row.locator("summary", { hasText: "Correct the name" }).count()).toBe(0);

    for (const [name, ending] of [
      ["Download the badge", "png"],
      ["Download the credential", "json"],
    ] as const) {
      const saved = page.waitForEvent("download");
      await row.getByRole("button", { name }).press("Enter");
      expect((await saved).suggestedFilename()).toBe(`${certificateId}.${ending}`);
    }
    const hrefOf = (name: string) => row.getByRole("link", { name }).getAttribute("href");
    expect(await hrefOf("Add to LinkedIn")).toMatch(/^https:\/\/www\.linkedin\.com\/profile\/add\?.*Git%2C%20calmly/);
    expect(await hrefOf("Verification page")).toMatch(new RegExp(`/api/certificate/verify/${certificateId}$`));
    const pdf = await fetch((await hrefOf("Open the PDF")) ?? "");
    expect(pdf.headers.get("content-type")).toBe("application/pdf");

    await row.locator("summary", { hasText: "Renew" }).press("Enter");
    await expectToFit(page);
    await row.getByRole("button", { name: "Begin the course again" }).press("Enter");
    await page.getByText("0 of 1 lecture done").waitFor();
  });

  test("an educator edits a template beside its preview", async () => {
    const { page, server, url, meera, room } = await openTeaching();
    const { resourceId } = await addResource(server, meera, room.courseId, resourceForm(png(240, 80), "mark.png"));
    await addResource(server, meera, room.courseId, resourceForm(png(5_000, 1), "wide.png"));
    await page.goto(`${url}/educator/students-enrolled/${room.courseId}`);
    await signIn(page, "Meera");
    await page.getByRole("link", { name: "Certificate template" }).press("Enter");
    const isCurrent = page.getByText("The preview shows what you have entered.");
    await isCurrent.waitFor();

    await page.getByLabel("A colour of its own").press("Space");
    await page.getByLabel("Colour", { exact: true }).fill("#14b8a6");
    const complaint = (text: string) => page.getByText(`Not accepted: ${text}`);
    await complaint("must be darker: text of this colour stands on white").waitFor();
    await page.getByLabel(/^Valid for so many months/).pressSequentially("121");
    await complaint("over 120").waitFor();
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.getByText("Invalid request data").waitFor();
    await expectToFit(page);
    await page.getByLabel("Colour", { exact: true }).fill("#7c2d12");
    await page.getByLabel(/^Valid for so many months/).fill("12");
    await page.getByLabel("Logo").selectOption("wide.png");
    await complaint("over 4096 pixels a side").waitFor();
    await page.getByLabel("Logo").selectOption("mark.png");
    await isCurrent.waitFor();

    await page.getByRole("button", { name: "Add a signatory" }).press("Enter");
    await page.getByText("The preview waits until the fields are filled.").waitFor();
    await page.getByLabel("Name", { exact: true }).pressSequentially("Dr. Ana Silva");
    await page.getByLabel("Title", { exact: true }).pressSequentially("Dean");
    await page.getByLabel("Picture of the signature").selectOption("mark.png");
    await isCurrent.waitFor();
    await page.getByLabel("Heading").pressSequentially("Diploma");
    await isCurrent.waitFor();
    // The new preview leaves the keyboard where it is.
    await page.keyboard.type(" of merit");
    await isCurrent.waitFor();
    expect(await page.getByLabel("Heading").inputValue()).toBe("Diploma of merit");
    await expectToFit(page);
    const address = await page.getByRole("link", { name: "Open the preview" }).getAttribute("href");
    expect(await page.evaluate(`fetch("${address}").then((reply) => reply.text())`)).toMatch(/^%PDF-/);
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.getByText("Saved.", { exact: true }).waitFor();
    const stored = await server.get(room.path("certificate-template"), meera.token);
    expect(stored.body.template).toEqual({
      ...{ heading: "Diploma of merit", statement: null, recognition: null },
      ...{ color: "#7c2d12", logo: resourceId, validMonths: 12 },
      signatories: [{ name: "Dr. Ana Silva", title: "Dean", signature: resourceId }],
    });

    await page.getByRole("link", { name: "Present certificates" }).press("Enter");
    await page.getByText("No certificates here.").waitFor();
  });

  test("an educator corrects and revokes a certificate, of which its learner sees the new state", async () => {
    const { page, server, url, room } = await openTeaching();
    const asha = await room.learner();
    for (const learner of [asha, await room.learner("Wolfeschlegelsteinhausenbergerdorff".repeat(5))])
      await room.complete(learner);
    await page.goto(`${url}/educator/certificates/${room.courseId}`);
    await signIn(page, "Meera");
    const row = page.getByRole("listitem").filter({ hasText: "Asha Rao" });
    await row.locator("summary", { hasText: "Issue again" }).press("Enter");
    await row.getByLabel(/^Name/).pressSequentially("Asha R. Rao");
    await row.getByLabel(/^Reason/).pressSequentially("A missing letter");
    await row.getByRole("button", { name: "Issue again" }).press("Enter");
    const corrected = page.getByRole("listitem").filter({ hasText: "Asha R. Rao" });
    await corrected.getByText("Edition 2").waitFor();
    await corrected.locator("summary", { hasText: "Revoke" }).press("Enter");
    await corrected.getByLabel(/^Reason/).pressSequentially("Plagiarism ".repeat(18));
    await expectToFit(page);
    await corrected.getByRole("button", { name: "Revoke the certificate" }).press("Enter");
    await corrected.getByText("Make it valid again").waitFor();
    await page.getByLabel("Show").selectOption("revoked");
    await page.getByRole("button", { name: "Find" }).press("Enter");
    await expect.poll(() => page.getByRole("heading", { level: 2 }).allTextContents()).toEqual(["Asha R. Rao"]);

    await server.emulators.clerk?.createUser({ id: asha.id, firstName: "Asha", lastName: "Rao" });
    await signIn(page, "Asha");
    await page.goto(`${url}/player/${room.courseId}`);
    await page.getByRole("link", { name: "Your certificate was revoked" }).press("Enter");
    await page.getByText("It no longer counts.").waitFor();
  });
});
