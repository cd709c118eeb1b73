import { expect, test, vi } from "vitest";
import { buildCoupon } from "../factories/coupons.js";
import { buildChapters } from "../factories/course-content.js";
import { buildCourse } from "../factories/courses.js";
import { describeInBrowser, expectToFit } from "./chromium.js";
import { newcomer, openExample, quiet, signIn } from "./open-example.js";

vi.setConfig({ testTimeout: 120_000 });

const longTitle = "The long way round a mountain of words ".repeat(8).slice(0, 300);

/** Opens the example with an educator who has some courses of one lecture. */
async function openTeaching(titles: readonly string[]) {
  const { page, server, url } = await openExample();
  const meera = await newcomer(server, "Meera", "educator");
  const courses: string[] = [];
  for (const courseTitle of titles) {
    const fields = { ...quiet, courseTitle, educatorId: meera.id, courseContent: buildChapters(1, 1) };
    courses.push(String((await buildCourse(server, fields))._id));
  }
  return { page, server, url, meera, courses };
}

describeInBrowser("the example page", () => {
  test("a learner buys a path, takes its courses in order and holds its certificate", async () => {
    const { page, server, url, meera, courses } = await openTeaching(["Git, calmly", longTitle]);
    const form = { title: "Backend engineer", subtitle: "From nothing", courseIds: courses };
    const sold = { description: "You write *servers*.", inOrder: true, price: 1000, isPublished: true };
    expect((await server.post("/api/educator/paths", { ...form, ...sold }, meera.token)).status).toBe(200);
    const { code } = await buildCoupon(server, await server.signedIn("admin"));
    await newcomer(server, "Asha");

    await page.goto(url);
    await page.getByRole("link", { name: "Paths", exact: true }).press("Enter");
    await page.getByLabel("Words of the title").fill("frontend");
    await page.getByRole("button", { name: "Find" }).press("Enter");
    await page.getByText("No paths here.").waitFor();
    await page.getByLabel("Words of the title").fill("backend");
    await page.getByRole("button", { name: "Find" }).press("Enter");
    const card = page.getByRole("listitem").filter({ hasText: "Backend engineer" });
    await card.getByText("2 courses in order").waitFor();
    await expectToFit(page);
    await card.getByRole("link").press("Enter");
    await page.getByText("Each one opens when you have completed the one before it.").waitFor();
    await page.getByText("One by one, the courses cost ₹1,798.20.").waitFor();
    await signIn(page, "Asha");
    await page.getByRole("button", { name: "Buy for ₹1,000.00" }).waitFor();
    await page.locator("summary", { hasText: "I have a coupon" }).press("Enter");
    await page.getByLabel("Code").pressSequentially("WRONG");
    await page.getByRole("button", { name: "Use the coupon" }).press("Enter");
    await page.getByText("Coupon not valid").waitFor();
    await expectToFit(page);
    await page.getByLabel("Code").fill(code);
    await page.getByRole("button", { name: "Use the coupon" }).press("Enter");
    await page.getByText("The coupon takes ₹500.00 off.").waitFor();
    await page.getByRole("button", { name: "Buy for ₹500.00" }).press("Enter");
    const checkout = page.frameLocator("iframe.razorpay-checkout-frame");
    await checkout.getByRole("button", { name: /^Pay/ }).click();

    await page.getByRole("link", { name: "Go to my paths" }).press("Enter");
    await page.getByText("Locked. Complete Git, calmly first.").waitFor();
    await page.getByText("0 of 2 courses done").waitFor();
    await expectToFit(page);
    await page.goto(`${url}/player/${courses[1]}`);
    await page.getByText("This course is locked.").waitFor();
    expect(await page.getByRole("button", { name: "Lecture is done" }).count()).toBe(0);
    await expectToFit(page);
    await page.getByRole("link", { name: "Git, calmly" }).press("Enter");
    await page.getByRole("button", { name: "Lecture is done" }).press("Enter");
    await page.getByText("You have completed the course.").waitFor();
    await page.getByRole("link", { name: "My paths" }).press("Enter");
    await page.getByText("1 of 2 courses done").waitFor();
    await page.getByRole("link", { name: longTitle.trim() }).press("Enter");
    await page.getByRole("button", { name: "Lecture is done" }).press("Enter");
    await page.getByText("You have completed the course.").waitFor();
    await page.getByRole("link", { name: "My paths" }).press("Enter");
    await page.getByText("2 of 2 courses done").waitFor();
    await expectToFit(page);
    await page.getByRole("link", { name: "See your certificate" }).press("Enter");
    const certificate = page.getByRole("listitem").filter({ hasText: "Backend engineer" });
    await certificate.getByText("Valid", { exact: true }).waitFor({ timeout: 60_000 });
    const pdf = await fetch((await certificate.getByRole("link", { name: "Open the PDF" }).getAttribute("href")) ?? "");
    expect(pdf.headers.get("content-type")).toBe("application/pdf");
  });

  test("an educator puts a path together by keyboard and by drag, and gives it away", async () => {
    const { page, server, url, meera, courses } = await openTeaching([longTitle, "Git, calmly", "Servers", "Unready"]);
    await server.deps.db.Course.updateOne({ courseTitle: "Unready" }, { isPublished: false });
    await newcomer(server, "Liam");
    const { email } = await server.deps.db.User.findById((await server.signedIn()).id)
      .orFail()
      .lean();
    await page.goto(`${url}/educator/students-enrolled`);
    await signIn(page, "Meera");
    await page.getByRole("link", { name: "Learning paths" }).press("Enter");
    await page.getByText("You have no paths yet.").waitFor();
    await page.getByRole("link", { name: "Add a path" }).press("Enter");
    await page.getByLabel("Title", { exact: true }).pressSequentially("Backend engineer");
    const order = page.locator(".order li > span");
    const expectOrder = (...titles: string[]) =>
      expect.poll(async () => (await order.allTextContents()).map((text) => text.trim())).toEqual(titles);
    const add = async (title: string) => {
      await page.getByLabel("Course to add").selectOption(title);
      await page.getByRole("button", { name: "Add the course" }).press("Enter");
    };
    for (const title of ["Servers", "Unready", "Git, calmly"]) await add(title);
    const up = page.getByRole("button", { name: "Move up Git, calmly" });
    await up.press("Enter");
    await page.getByText("Git, calmly is now 2 of 3").waitFor();
    await up.press("Enter");
    await page.getByText("Git, calmly is now 1 of 3").waitFor();
    expect(await up.and(page.locator(":focus")).count()).toBe(1);
    await expectOrder("Git, calmly", "Servers", "Unready Draft");
    await order.nth(0).dragTo(order.nth(2));
    await page.getByText("Git, calmly is now 3 of 3").waitFor();
    await expectOrder("Servers", "Unready Draft", "Git, calmly");

    await page.getByLabel(/^The courses open in order/).press("Space");
    await page.getByLabel("For sale").press("Space");
    await page.getByLabel(/^Price \(0: free; .* cost ₹2,697.30\)$/).pressSequentially("0.5");
    await page.getByLabel(/^Published/).press("Space");
    await page.getByRole("button", { name: "Add the path" }).press("Enter");
    await page.getByText("Invalid request data").waitFor();
    await page.getByLabel(/^Price/).fill("0");
    await page.getByRole("button", { name: "Add the path" }).press("Enter");
    await page.getByText("Not published yet: Unready.").waitFor();
    await page.getByRole("button", { name: "Remove Unready Draft" }).press("Enter");
    await page.getByText("Unready Draft is off the list").waitFor();
    await add(longTitle);
    await expectToFit(page);
    await page.getByRole("button", { name: "Add the path" }).press("Enter");
    await page.getByText("Nobody has the path yet.").waitFor();

    const [path] = (await server.get("/api/educator/paths", meera.token)).body.paths;
    const shown = path.courses.map(({ _id }: { _id: string }) => _id);
    expect([path.inOrder, path.price, path.isPublished, shown]).toEqual([
      ...[true, 0, true],
      [courses[2], courses[1], courses[0]],
    ]);
    const other = { title: "Backend engineering", version: path.version };
    const call = { token: meera.token, body: other };
    expect((await server.call("PATCH", `/api/educator/paths/${path._id}`, call)).status).toBe(200);
    await page.getByLabel("Subtitle").pressSequentially("From nothing");
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.getByText("Somebody has changed this path").waitFor();
    await expectToFit(page);
    await page.getByRole("button", { name: "Load the present path" }).press("Enter");
    await page.getByRole("heading", { name: "Backend engineering" }).waitFor();
    await page.getByLabel("Subtitle").pressSequentially("From nothing");
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.getByText("Saved.", { exact: true }).waitFor();

    await page.locator("summary", { hasText: "Give the path to somebody" }).press("Enter");
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel(/^Reason/).fill("A prize");
    await page.getByRole("button", { name: "Give it" }).press("Enter");
    await page.getByText("They have the path now.").waitFor();
    await page.getByText("Given", { exact: true }).waitFor();
    await page.locator("summary", { hasText: "Delete the path" }).press("Enter");
    await page.getByRole("button", { name: "Delete it for good" }).press("Enter");
    await page.getByText(/^Somebody has or had this path/).waitFor();
    await expectToFit(page);
    await page.getByRole("button", { name: /^End the access of/ }).press("Enter");
    await page.getByText("Nobody has the path yet.").waitFor();
    await page.getByRole("link", { name: "Your learning paths" }).press("Enter");
    await page.getByText("0 learners · 0 purchases · ₹0.00").waitFor();
    await expectToFit(page);

    await signIn(page, "Liam");
    await page.goto(`${url}/path/${path.slug}`);
    await page.getByRole("button", { name: "Enroll for free" }).press("Enter");
    await page.getByText("You have this path.").waitFor();
    await expectToFit(page);
  });
});
