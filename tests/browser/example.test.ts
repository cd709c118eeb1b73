import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "vite";
import { expect, onTestFinished, test, vi } from "vitest";
import { announceServer } from "../../src/cli/development-server.js";
import { findFreePort } from "../../src/cli/free-port.js";
import { buildCourse } from "../factories/courses.js";
import { startTestServer } from "../server/test-server.js";
import { accessibilityFaults, describeInBrowser, openPage, overflow } from "./chromium.js";

/** A picture that needs no network. */
const quiet = { courseThumbnail: "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" };

/** Opens the example page on its own origin, with a server that allows that origin. */
async function openExample() {
  const port = await findFreePort(0);
  const FRONTEND_URL = `http://localhost:${port}`;
  const server = await startTestServer({ env: { FRONTEND_URL }, jobs: true });
  const { clerk, razorpay } = server.emulators;
  const dataDir = await mkdtemp(join(tmpdir(), "example-"));
  await announceServer(dataDir, {
    url: server.url,
    frontendOrigin: FRONTEND_URL,
    emulators: [
      { provider: "clerk", address: clerk?.url ?? "" },
      { provider: "razorpay", address: razorpay?.url ?? "" },
    ],
    variables: {},
  });
  vi.stubEnv("DATA_DIR", dataDir);
  const vite = await createServer({ root: "examples/spa", logLevel: "error", server: { port, hmr: false } });
  vi.unstubAllEnvs();
  await vite.listen();
  onTestFinished(async () => {
    await vite.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const page = await openPage();
  return { page, server, url: FRONTEND_URL };
}

describeInBrowser("the example page", () => {
  test("a learner signs up, buys, learns and holds a certificate", { timeout: 120_000 }, async () => {
    const { page, server, url } = await openExample();
    const course = await buildCourse(server, { ...quiet, courseTitle: "Rust in a day" });
    await page.goto(url);
    await page.getByRole("link", { name: /Rust in a day/ }).click();
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
    await page.getByRole("link", { name: "Go to the course" }).click();

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

  test("who is signed in stays, is switched and signs out; tokens are fresh", { timeout: 120_000 }, async () => {
    const { page, server, url } = await openExample();
    const [asha, liam] = [await server.signedIn("student", "Asha"), await server.signedIn("student", "Liam")];
    for (const { id, name } of [asha, liam]) await server.emulators.clerk?.createUser({ id, firstName: name });
    const tokens: string[] = [];
    page.on("request", (request) => tokens.push(request.headers().authorization ?? ""));
    const course = await buildCourse(server, quiet);
    await page.goto(`${url}#course/${course._id}`);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: /^Asha/ }).click();
    await page.getByLabel("Account of Asha").waitFor();
    await page.reload();
    await page.getByLabel("Account of Asha").click();
    await page.getByRole("button", { name: "Switch user" }).click();
    await page.getByRole("button", { name: /^Liam/ }).click();
    await page.getByLabel("Account of Liam").click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    const last = tokens.findLast((token) => token.startsWith("Bearer "))?.split(".")[1] ?? "";
    const { sub, exp, iat } = JSON.parse(Buffer.from(last, "base64url").toString());
    expect([sub, exp - iat <= 120]).toEqual([liam.id, true]);
  });
});
