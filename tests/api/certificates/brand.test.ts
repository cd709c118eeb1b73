import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { parseConfig } from "../../../src/config.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { aiOf } from "../../server/emulators.js";
import { startTestServer, type TestServer } from "../../server/test-server.js";

const path = "M4 4 L28 4 L16 28 Z";
/** The same, as PDF operators. */
const drawn = "4 4 m\n28 4 l\n16 28 l\nh";

/** A certificate of a server with a brand, and the page that verifies it. */
async function issue(server: TestServer) {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { courseContent: buildChapters(1, 1) });
  await enroll(server, learner.id, course._id);
  const done = { courseId: String(course._id), lectureId: "ch1-l1" };
  await server.post("/api/user/update-course-progress", done, learner.token);
  const { certificateId, pdfUrl } = await server.deps.db.Certificate.findOne({ userId: learner.id }).orFail().lean();
  const pdf = Buffer.from(await (await fetch(pdfUrl ?? "")).arrayBuffer());
  const streams = pdf.toString("latin1").split(/stream\n|\nendstream/);
  const texts = streams.map((stream, i) => {
    try {
      return i % 2 === 1 ? inflateSync(Buffer.from(stream, "latin1")).toString("latin1") : "";
    } catch {
      return "";
    }
  });
  const page = await server.get(`/api/certificate/verify/${certificateId}`, undefined, { accept: "text/html" });
  return { pdf: texts.join("\n"), page: String(page.body), properties: pdf.toString("latin1") };
}

test("name, colour and mark of the platform are on the certificate and on the page that verifies it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "logo-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "logo.svg");
  await writeFile(file, `<svg viewBox="0 0 32 32" fill="none"><path\n class="mark" d="${path}" fill="red"/></svg>`);
  for (const PLATFORM_LOGO of [path, file]) {
    const server = await startTestServer({
      env: { PLATFORM_NAME: "Gurukul", PLATFORM_COLOR: "#7c2d12", PLATFORM_LOGO },
    });
    const { pdf, page, properties } = await issue(server);
    expect(pdf.replace(/\.0+\b/g, "")).toContain(drawn);
    expect(properties).toContain("Gurukul");
    expect(page).toContain(`<path d="${path}"/>`);
    expect(page).toContain("Gurukul issued this certificate");
    expect(page).toContain("#7c2d12");
    expect(page).not.toContain("Lyceum");
  }
});

test("without a brand they have the portico, and are Lyceum's", async () => {
  const { pdf, page } = await issue(await startTestServer({ own: "has a brand" }));
  expect(pdf).not.toContain(drawn);
  expect(page).toContain("Lyceum issued this certificate");
  expect(page).toContain("M16 2.2 L29.4 9.6");
});

test("a logo that cannot be drawn stops the start with a message that names the variable", () => {
  for (const PLATFORM_LOGO of ["nowhere.svg", "<svg>", "M1 1<script>"]) {
    expect(() => parseConfig({ PLATFORM_LOGO })).toThrow(/PLATFORM_LOGO\W.*must be SVG path data/);
  }
});

test("every question to the AI names the platform", async () => {
  const server = await startTestServer({ env: { PLATFORM_NAME: "Gurukul" } });
  const educator = await server.signedIn("educator");
  const learner = await server.signedIn();
  const { _id } = await buildCourse(server, { educatorId: educator.id });
  await enroll(server, learner.id, _id);
  const chapter = { courseId: String(_id), chapterId: "ch1" };
  const { quiz } = (await server.post("/api/quiz/generate", chapter, educator.token)).body;
  const answers = quiz.questions.map(() => 0);
  await server.post("/api/quiz/submit", { ...chapter, answers }, learner.token);
  await server.post("/api/user/generate-personal-roadmap", {}, learner.token);
  await server.post("/api/user/generate-custom-roadmap", { topic: "Graph theory" }, learner.token);
  await server.post("/api/user/ai-chat", { content: "What is a type?" }, learner.token);
  const instructions = aiOf(server)
    .calls()
    .map(({ messages }) => messages[0]?.text ?? "");
  expect(instructions.length).toBeGreaterThanOrEqual(5);
  expect(instructions.filter((text) => !text.includes("Gurukul, an online learning platform"))).toEqual([]);
});
