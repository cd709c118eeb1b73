import { randomUUID } from "node:crypto";
import { Types } from "mongoose";
import { expect, test } from "vitest";
import type { Certificate } from "../../src/models/learning/certificate.js";
import { unsubscribeUrl } from "../../src/services/notices/unsubscribe.js";
import { startTestServer } from "../server/test-server.js";
import { accessibilityFaults, describeInBrowser, expectToFit, openPage, overflow } from "./chromium.js";

const server = await startTestServer({ own: "is shut down with its pages" });

/** The library decides how its headings and buttons are nested. */
const ofLibrary = /^(heading-order|nested-interactive|region):/;

describeInBrowser("the API reference", () => {
  test("calls the API as the chosen demo user, without anything pasted", { timeout: 90_000 }, async () => {
    const { id } = await server.signedIn("student", "Asha Rao");
    await server.emulators.clerk?.createUser({ id, firstName: "Asha", lastName: "Rao" });
    const page = await openPage();
    // The library renders only operations near the viewport. The address names one, which it scrolls to and expands.
    await page.goto(`${server.url}/api/docs#/user/getProfile`);
    await page.getByLabel("Signed in as").selectOption({ label: "Asha Rao (student)" });
    await page.getByText("Requests carry a token of this user.").waitFor();
    const operation = page.locator('[id^="operations-"][id$="-getProfile"]');
    await operation.locator(".responses-table").waitFor();
    expect(await operation.locator(".responses-table").textContent()).toContain("asha@lyceum.example");
    await operation.getByRole("button", { name: "Execute" }).click();
    const reply = operation.locator(".live-responses-table .response").first();
    await reply.waitFor();
    expect(await reply.textContent()).toContain("Asha Rao");
    await page.getByLabel("Signed in as").selectOption({ label: "no user" });
    await operation.getByRole("button", { name: "Execute" }).click();
    await expect.poll(() => reply.textContent()).toContain("Unauthorized Access");
    expect(page.complaints.filter((text) => !text.includes("401"))).toEqual([]);
  });

  test("shows itself quickly, and is readable in light and dark colours and at 360 px", {
    timeout: 120_000,
  }, async () => {
    const page = await openPage();
    // Measure processor time, because a busy machine stretches the time on the clock. 0.8 to 1.8 s are usual.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto(`${server.url}/api/docs`);
    await page.locator(".opblock-tag").first().waitFor();
    const { metrics } = await devtools.send("Performance.getMetrics");
    expect(metrics.find(({ name }) => name === "TaskDuration")?.value).toBeLessThan(3);
    const guises = [
      ["light", 360],
      ["dark", 1280],
    ] as const;
    for (const [, width] of guises) {
      await page.setViewportSize({ width, height: 900 });
      expect(await overflow(page)).toBe(0);
    }
    // The groups are collapsed. The search opens those with the found operations.
    expect(await page.locator(".opblock").count()).toBe(0);
    const search = page.getByRole("searchbox", { name: "Find" });
    await search.fill("get certificate");
    await page.getByText(/^\d+ found$/).waitFor();
    await page.locator('[id$="-getCertificate"]').waitFor();
    await search.fill("");
    await page.getByText(/^\d{3} operations$/).waitFor();
    expect(await page.locator(".opblock").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Authorize" }).count()).toBe(0);
    for (const [colorScheme, width] of guises) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      // Between them, these groups have an operation of each method.
      for (const [group, method] of [
        ["assessments", "put"],
        ["coupons", "patch"],
      ] as const) {
        await page.goto(`${server.url}/api/docs?of=${group}#/${group}`);
        await page.locator(`.opblock-${method}`).first().waitFor();
        expect((await accessibilityFaults(page)).filter((fault) => !ofLibrary.test(fault))).toEqual([]);
      }
    }
  });

  test("an opened operation is readable in light and dark colours, and fits a phone and a desk", {
    timeout: 240_000,
  }, async () => {
    const page = await openPage();
    for (const [colorScheme, width] of [
      ["light", 390],
      ["dark", 1280],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      // One with parameters, and one with a form.
      for (const [group, name] of [
        ["course", "browseCourses"],
        ["educator", "updateCourse"],
      ] as const) {
        await page.goto(`${server.url}/api/docs?of=${name}${colorScheme}${width}#/${group}/${name}`);
        const operation = page.locator(`[id^="operations-"][id$="-${name}"]`);
        await operation.locator(".responses-table").waitFor();
        await operation.getByLabel("Media type").first().waitFor();
        expect((await accessibilityFaults(page)).filter((fault) => !ofLibrary.test(fault))).toEqual([]);
        const edge = `document.querySelector(".opblock.is-open").getBoundingClientRect().right`;
        const cut = `[...document.querySelectorAll(".opblock.is-open :is(td, th, input, select, textarea, pre)")]
          .filter((element) => element.getBoundingClientRect().right > ${edge} + 1).map(({ outerHTML }) => outerHTML)`;
        expect(await page.evaluate(cut)).toEqual([]);
        const replies = await operation.locator(".responses-wrapper").boundingBox();
        expect(replies?.x).toEqual(width === 390 ? expect.closeTo(21, -2) : expect.closeTo(640, -2));
      }
    }
  });

  test("in production it signs no user in", async () => {
    const { config } = server.deps;
    const html = String((await server.get("/api/docs")).body);
    expect(html).toContain(config.identity.apiUrl ?? "");
    const production = await server.another({
      NODE_ENV: "production",
      FRONTEND_URL: "https://app.example",
      BACKEND_URL: "https://api.example",
    });
    expect(String((await production.get("/api/docs")).body)).not.toContain("127.0.0.1");
  });
});

describeInBrowser("the verification page", () => {
  const [name, title] = ["Asha Rao", "Rust"];
  const long = {
    studentName: "Wolfeschlegelsteinhausenbergerdorff".repeat(5),
    courseTitle: "A title ".repeat(38).slice(0, 300),
  };
  const [past, coming] = [new Date("2026-01-31T12:00:00Z"), new Date("2126-01-31T12:00:00Z")];

  test.each<[string, Partial<Certificate>]>([
    ["Certificate verified", { studentName: name, courseTitle: title }],
    ["Certificate verified", { ...long, expiresAt: coming, reissuedAt: past }],
    ["Certificate expired", { studentName: "ليلى حداد", courseTitle: "x".repeat(300), expiresAt: past }],
    ["Certificate revoked", { ...long, revokedAt: past, pdfUrl: null }],
    ["Certificate not found", { studentName: name, courseTitle: title, status: "pending" }],
  ])("%s: is readable in light and dark colours, wide and narrow, and light on paper", async (heading, fields) => {
    const certificateId = randomUUID();
    const ids = { certificateId, courseId: new Types.ObjectId(), userId: "user_1" };
    const issued = {
      status: "issued",
      attempts: 0,
      completionDate: past,
      issuedAt: past,
      nextAttemptAt: past,
    } as const;
    await server.deps.db.Certificate.create({ ...ids, ...issued, ...fields });
    const page = await openPage();
    await page.goto(`${server.url}/api/certificate/verify/${certificateId}`);
    await page.getByText(heading, { exact: true }).waitFor();
    await expectToFit(page);
    const background = () => page.evaluate("getComputedStyle(document.querySelector('main')).backgroundColor");
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await background()).toBe("rgb(24, 30, 30)");
    await page.emulateMedia({ colorScheme: "dark", media: "print" });
    expect(await background()).toBe("rgb(255, 255, 255)");
  });
});

describeInBrowser("the pages to unsubscribe", () => {
  test("switch off mails and on again, readable in light and dark colours, wide and narrow", async () => {
    const { db, config } = server.deps;
    const { id: userId } = await server.signedIn();
    const { email } = await db.User.findById(userId).orFail().lean();
    const url = await unsubscribeUrl(db, config.backendUrl, { userId, type: "announcement", email });
    const page = await openPage();
    const look = async (heading: string) => {
      await page.getByRole("heading", { name: heading }).waitFor();
      await expectToFit(page);
    };
    await page.goto(server.url + String(url).slice(config.backendUrl.length));
    await look("Switch off these mails?");
    await page.getByRole("button", { name: "Switch off" }).click();
    await look("These mails are switched off");
    await page.getByRole("button", { name: "Undo" }).click();
    await look("These mails are switched on again");
    await page.goto(`${server.url}/unsubscribe/unknown`);
    await look("This address is not known");
  });
});
