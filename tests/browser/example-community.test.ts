import { expect, test, vi } from "vitest";
import { buildCourse, enroll } from "../factories/courses.js";
import { describeInBrowser, expectToFit, openPage } from "./chromium.js";
import { newcomer, openExample, quiet, signIn } from "./open-example.js";

vi.setConfig({ testTimeout: 120_000 });

describeInBrowser("the example page", () => {
  test("a visitor finds a course by words, filters and pages, by keyboard, and comes back to the search", async () => {
    const { page, server, url } = await openExample();
    for (let number = 1; number <= 21; number += 1)
      await buildCourse(server, { ...quiet, courseTitle: `Day ${number}` });
    const facts = { ...quiet, category: "Systems", language: "en", tags: ["memory"] };
    await buildCourse(server, { ...facts, level: "beginner", courseTitle: "Ownership in Rust", coursePrice: 0 });
    await buildCourse(server, { ...facts, courseTitle: "Rust at work", level: "advanced" });
    await page.goto(url);
    await page.getByText("23 courses found").waitFor();
    await page.getByRole("button", { name: "More courses" }).press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toMatch(/^Day 3/);

    const field = page.getByLabel("Search");
    await page.route(/q=rust&/, () => undefined);
    const left = page.waitForEvent("requestfailed");
    await field.pressSequentially("rust");
    await page.waitForRequest(/q=rust&/);
    await field.pressSequentially(" ownreship");
    expect((await left).failure()?.errorText).toBe("net::ERR_ABORTED");
    await page.getByText("1 course found").waitFor();
    expect(page.url()).toBe(`${url}/?q=rust+ownreship`);
    await page.unroute(/q=rust&/);
    await field.fill("rust");
    await page.getByText("2 courses found").waitFor();
    await page.getByRole("link", { name: "Beginner 1" }).press("Enter");
    await page.getByText("1 course found").waitFor();
    await expectToFit(page);
    await page.getByRole("link", { name: "Ownership in Rust" }).press("Enter");
    await page.getByRole("heading", { name: "Ownership in Rust" }).waitFor();
    await page.goBack();
    await page.getByText("1 course found").waitFor();
    expect(await field.inputValue()).toBe("rust");
    await page.getByRole("link", { name: "Remove Beginner" }).press("Enter");
    await page.getByText("2 courses found").waitFor();
    await page.getByLabel("Sort by").selectOption("Lowest price");
    await expect
      .poll(() => page.getByRole("heading", { level: 2, name: "Rust" }).first().textContent())
      .toContain("Own");
    await field.fill("nothing like it");
    await page.getByText("Nothing matches.").waitFor();
    await page.goto(`${url}/?level=expert`);
    await page.getByRole("alert").waitFor();
  });

  test("a learner reviews a course, another one marks the review, and its educator responds", async () => {
    const { page, server, url } = await openExample();
    const meera = await newcomer(server, "Meera", "educator");
    const { _id } = await buildCourse(server, { ...quiet, educatorId: meera.id });
    for (const name of ["Asha", "Liam"]) await enroll(server, (await newcomer(server, name)).id, _id);
    await page.goto(`${url}/course/${_id}`);
    await signIn(page, "Asha");
    await page.locator("summary", { hasText: "Write a review" }).press("Enter");
    await page.getByRole("radio", { name: "3 stars" }).press("ArrowRight");
    await page.getByLabel(/^What would you tell/).pressSequentially("Clear, and <b>short</b>.");
    await expectToFit(page);
    await page.getByRole("button", { name: "Publish" }).press("Enter");
    await page.getByText("Thank you. Your review is published.").waitFor();
    const review = page.getByRole("listitem").filter({ hasText: "Clear, and <b>short</b>." });
    await review.getByText("Your review").waitFor();
    await page.locator("summary:focus", { hasText: "You gave 4 stars." }).waitFor();

    await signIn(page, "Liam");
    await review.getByRole("button", { name: "Helpful (0)" }).press("Enter");
    await review.getByRole("button", { name: "Helpful (1)", pressed: true }).waitFor();
    await page.getByRole("button", { name: /^5 stars/ }).press("Enter");
    await page.getByText("No reviews with a text here.").waitFor();
    await page.getByRole("button", { name: "Show all reviews" }).press("Enter");
    await review.locator("summary", { hasText: "Report" }).press("Enter");
    await review.getByLabel("What is wrong").pressSequentially("An advertisement");
    await review.getByRole("button", { name: "Send the report" }).press("Enter");
    await review.getByText("An administrator will look at it.").waitFor();

    await signIn(page, "Meera");
    await review.locator("summary", { hasText: "Respond" }).press("Enter");
    await review.getByLabel("Your response").pressSequentially("Thank you.");
    await review.getByRole("button", { name: "Publish" }).press("Enter");
    await review.getByText("Meera responded on").waitFor();
    await expectToFit(page);
  });

  test("the bell rings when an educator writes to learners, who choose what they are told of", async () => {
    const { page, server, url } = await openExample();
    const [asha, meera] = [await newcomer(server, "Asha"), await newcomer(server, "Meera", "educator")];
    const { _id } = await buildCourse(server, { ...quiet, educatorId: meera.id });
    await enroll(server, asha.id, _id);
    await page.goto(url);
    await signIn(page, "Asha");
    await page.getByRole("link", { name: "Notifications", exact: true }).waitFor();

    const desk = await openPage();
    await desk.goto(`${url}/educator/students-enrolled/${_id}`);
    await signIn(desk, "Meera");
    await desk.locator("summary").press("Enter");
    await desk.getByLabel("Title").pressSequentially("Office hours");
    await desk.getByLabel("Text, in Markdown").pressSequentially("Bring **questions**.");
    await expectToFit(desk);
    await desk.getByRole("button", { name: "Send" }).press("Enter");
    await desk.getByText("Sent to 1 learner.").waitFor();

    await page.getByRole("link", { name: "Notifications, 1 unread" }).press("Enter");
    await page.getByRole("link", { name: "Office hours" }).waitFor();
    await page.getByText("questions", { exact: true }).waitFor();
    await expectToFit(page);
    await page.getByRole("button", { name: "Mark all as read" }).press("Enter");
    await page.getByRole("link", { name: "Notifications", exact: true }).waitFor();
    await page.getByLabel("Only unread").press("Space");
    await page.getByText("You have read everything.").waitFor();
    await page.getByRole("link", { name: "Notification settings" }).press("Enter");
    await page.getByLabel("An educator writes to the learners of your course: by mail").press("Space");
    await page.getByText("Saved.").waitFor();
    await expectToFit(page);
    const { body } = await server.get("/api/user/notification-preferences", asha.token);
    expect(body.preferences.announcement).toEqual({ app: true, mail: false });
  });
});
