import { expect, test, vi } from "vitest";
import { markdownToHtml } from "../../src/services/lessons/markdown-to-html.js";
import { examRoom } from "../api/assessments/exam-room.js";
import { rules } from "../factories/assessments.js";
import { buildCourse, enroll } from "../factories/courses.js";
import { addResource, resourceForm } from "../factories/resources.js";
import { accessibilityFaults, describeInBrowser, expectToFit, overflow } from "./chromium.js";
import { newcomer, openExample, quiet, signIn } from "./open-example.js";

vi.setConfig({ testTimeout: 120_000 });

describeInBrowser("the example page", () => {
  test("a learner signs up, buys, learns and holds a certificate", async () => {
    const { page, server, url } = await openExample();
    const course = await buildCourse(server, { ...quiet, courseTitle: "Rust in a day" });
    const description = "Learn **ownership**.<style>main { display: none }</style>";
    await server.deps.db.Course.updateOne({ _id: course._id }, { courseDescription: description });
    await page.goto(url);
    await page.getByRole("link", { name: "Rust in a day" }).press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Rust in a day");
    await page.getByText("ownership", { exact: true }).waitFor();
    await expectToFit(page);
    await page.getByRole("button", { name: "Sign in to buy" }).click();
    await page.getByLabel("First name").fill("Tara");
    await page.getByRole("button", { name: "Sign up" }).click();
    await expect.poll(() => server.deps.db.User.countDocuments({ name: "Tara" })).toBe(1);
    const checkout = page.frameLocator("iframe.razorpay-checkout-frame");

    await page.getByRole("button", { name: /^Buy for/ }).click();
    await checkout.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("You left the checkout").waitFor();
    await page.getByRole("button", { name: /^Buy for/ }).click();
    await checkout.getByRole("button", { name: /^Pay/ }).click();
    await page.getByRole("link", { name: "Go to the course" }).waitFor();
    await page.getByRole("link", { name: "My courses" }).click();
    await page.getByText("Begin", { exact: true }).waitFor();
    await expectToFit(page);
    await page.getByRole("link", { name: "Rust in a day" }).click();

    const lectures = course.courseContent.flatMap(({ chapterContent }) => chapterContent).length;
    for (let done = 0; done < lectures; done += 1) {
      await page.getByText(`${done} of ${lectures} lectures done`).waitFor();
      await page.getByRole("button", { name: "Lecture is done" }).click();
    }
    await page.getByText(`${lectures} of ${lectures} lectures done`).waitFor();
    await expect.poll(() => server.deps.db.Certificate.countDocuments({ pdfUrl: { $ne: null } })).toBe(1);
    const address = await page.getByRole("link", { name: "Your certificate" }).getAttribute("href");
    expect((await fetch(address ?? "")).headers.get("content-type")).toBe("application/pdf");
    expect([await accessibilityFaults(page), await overflow(page)]).toEqual([[], 0]);
  });

  test("a learner reads a lesson by keyboard, and its educator finds them in the gradebook", async () => {
    const { page, server, url } = await openExample();
    const [asha, meera] = [await newcomer(server, "Asha"), await newcomer(server, "Meera", "educator")];
    const course = await buildCourse(server, { ...quiet, courseTitle: "Git, calmly", educatorId: meera.id });
    const { resourceId } = await addResource(server, meera, course._id, resourceForm("# Sheet\n", "sheet.md"));
    const text = `# Snapshots\n\nGit stores *whole files*.\n\n\`\`\`sh\ngit commit ${"--amend ".repeat(20)}\n\`\`\`\n`;
    const blocks = [
      { kind: "text", text, html: await markdownToHtml(text) },
      { kind: "file", resourceId },
    ];
    await server.deps.db.Course.updateOne({ _id: course._id }, { "courseContent.0.chapterContent.0.blocks": blocks });
    await enroll(server, asha.id, course._id);

    await page.goto(`${url}/player/${course._id}`);
    await page.getByRole("heading", { name: "Please sign in" }).waitFor();
    await page.getByRole("link", { name: "Skip to the content" }).press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("main");
    await expect.poll(() => page.url()).toBe(`${url}/player/${course._id}#main`);
    await page.getByRole("button", { name: "Sign in to continue" }).press("Enter");
    await page.getByRole("button", { name: /^Asha/ }).click();
    await page.getByRole("heading", { name: "Snapshots" }).waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: /^Download sheet.md/ }).press("Enter");
    expect((await saved).suggestedFilename()).toBe("sheet.md");
    await expectToFit(page);
    await page.getByRole("button", { name: "Lecture is done" }).press("Enter");
    await page.getByText(/^1 of \d+ lectures done/).waitFor();

    await signIn(page, "Meera");
    await page.getByRole("link", { name: "Teaching" }).press("Enter");
    await page.getByRole("link", { name: "Git, calmly" }).press("Enter");
    await page.getByRole("row", { name: /^Asha Active 1 of \d+ / }).waitFor();
    const gradebook = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the gradebook" }).press("Enter");
    expect((await gradebook).suggestedFilename()).toBe("gradebook.csv");
    await expectToFit(page);
    await page.getByRole("link", { name: "Asha" }).press("Enter");
    await page.getByText("No attempts yet.").waitFor();
    await expectToFit(page);
  });

  test("a learner passes an assessment of every kind of question by keyboard", async () => {
    const { page, server, url } = await openExample();
    const room = await examRoom(server);
    await server.deps.db.Course.updateOne({ _id: room.courseId }, quiet);
    const questionIds = await room.addKinds();
    await server.deps.db.Question.updateOne({ prompt: "Spell it" }, { prompt: "Spell **it**" });
    expect((await room.put({ ...rules, passPercent: 100, timeLimitMinutes: 20, questionIds })).status).toBe(200);
    const learner = await room.learner();
    await server.emulators.clerk?.createUser({ id: learner.id, firstName: "Asha" });

    await page.goto(`${url}/player/${room.courseId}`);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: /^Asha/ }).click();
    await page.getByRole("link", { name: /^Assessment/ }).press("Enter");
    await page.getByRole("button", { name: "Start an attempt" }).press("Enter");
    await page.getByText(/^Time left: 19:\d\d$/).waitFor();
    await page.getByText("Question 1 · 1 point", { exact: true }).waitFor();
    const question = (prompt: string) => page.getByRole("group", { name: prompt });
    await question("Capital of Portugal?").getByLabel("Lisbon").press("Space");
    await question("In the north?").getByLabel("Porto").press("Space");
    await question("In the north?").getByLabel("Braga").press("Space");
    await question("The earth is round.").getByLabel("True").press("Space");
    await question("0.3?").getByLabel("Your answer").pressSequentially("0.3");
    await question("Spell it").getByLabel("Your answer").pressSequentially("Lisboa");
    const order = question("From north to south");
    const shown = () => order.getByRole("listitem").allInnerTexts();
    for (const [place, name] of ["Porto", "Lisbon", "Braga"].entries()) {
      const up = order.getByRole("button", { name: `Move up ${name}` });
      while (!(await shown())[place]?.startsWith(name)) {
        await up.press("Enter");
        expect(await up.and(page.locator(":focus")).count()).toBe(1);
      }
    }
    await order.getByRole("button", { name: "Move down Porto" }).press("Enter");
    await order.getByText("Porto is now 2 of 3").waitFor();
    await order.getByRole("button", { name: "Move up Porto" }).press("Enter");
    await expectToFit(page);
    await page.getByRole("button", { name: "Submit" }).press("Enter");
    await page.getByRole("heading", { name: "Passed: 100 %" }).waitFor();
    await page.getByText("100 %, passed", { exact: true }).waitFor();
    await expectToFit(page);
  });

  test("every page that notifications and mails lead to has its path, and a missing one a heading", async () => {
    const { page, server, url } = await openExample();
    const [asha, meera] = [await newcomer(server, "Asha"), await newcomer(server, "Meera", "educator")];
    const course = await buildCourse(server, { ...quiet, courseTitle: "Git, calmly", educatorId: meera.id });
    await enroll(server, asha.id, course._id);
    const post = await server.post("/api/community/posts", { title: "Why rebase?", content: "Tell me" }, asha.token);
    await page.goto(`${url}/course/665f1c2ab7e4d90012ab34cd`);
    await page.getByRole("heading", { level: 1, name: "This page cannot be shown" }).waitFor();
    await expectToFit(page);
    await page.getByRole("link", { name: "All courses" }).click();
    await page.locator(".grid li").first().waitFor();
    // One link leads past the filters, to the order and the courses.
    await page.getByRole("link", { name: "Skip to the results" }).press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.closest('.grid')?.tagName")).toBe("UL");
    await signIn(page, "Asha");
    const open = async (path: string, heading: string) => {
      await page.goto(url + path);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    };
    await open(`/course/${course._id}`, "Git, calmly");
    await open("/my-enrollments", "My courses");
    await open(`/player/${course._id}`, String(course.courseContent[0]?.chapterContent[0]?.lectureTitle));
    await open(`/community/post/${post.body.post._id}`, "Why rebase?");
    await open("/become-educator", "Become an educator");
    await page.locator("summary", { hasText: "Apply" }).press("Enter");
    await page.getByLabel("Professional title").fill("Engineer");
    await page.getByLabel(/^What you teach/).fill("Git, Rust");
    await page.getByLabel("About you").fill("Ten years of teaching.");
    await expectToFit(page);
    await page.getByRole("button", { name: "Send the application" }).press("Enter");
    await page.getByText("Your application is being looked at.").waitFor();
    await signIn(page, "Meera");
    await open("/educator/students-enrolled", "Your courses");
  });

  test("who is signed in stays, is switched and signs out; tokens are fresh", async () => {
    const { page, server, url } = await openExample();
    const [, liam] = [await newcomer(server, "Asha"), await newcomer(server, "Liam")];
    const tokens: string[] = [];
    page.on("request", (request) => tokens.push(request.headers().authorization ?? ""));
    const course = await buildCourse(server, quiet);
    await page.goto(`${url}/course/${course._id}`);
    await signIn(page, "Asha");
    await page.reload();
    await page.getByLabel("Account of Asha").waitFor();
    await signIn(page, "Liam");
    await page.getByLabel("Account of Liam").click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    const last = tokens.findLast((token) => token.startsWith("Bearer "))?.split(".")[1] ?? "";
    const { sub, exp, iat } = JSON.parse(Buffer.from(last, "base64url").toString());
    expect([sub, exp - iat <= 120]).toEqual([liam.id, true]);
  });
});
