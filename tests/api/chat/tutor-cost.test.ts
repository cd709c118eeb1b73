import { expect, test } from "vitest";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

/* What one request of the AI features may cost, whatever courses and questions hold. */

const server = await startTestServer();

const ask = ({ token }: SignedIn, content: string) => server.post("/api/user/ai-chat", { content }, token);
const roadmap = ({ token }: SignedIn) => server.post("/api/user/generate-personal-roadmap", {}, token);

async function learnerOf(courses: number, fields: Parameters<typeof buildCourse>[1] = {}): Promise<SignedIn> {
  const learner = await server.signedIn();
  for (let n = 0; n < courses; n += 1) await enroll(server, learner.id, (await buildCourse(server, fields))._id);
  return learner;
}

test("a description of line breaks alone is shown as the little that it says", async () => {
  const learner = await learnerOf(5, { courseDescription: `a${"\n".repeat(19_990)}b` });
  const { status, body } = await roadmap(learner);
  expect(status).toBe(200);
  expect(body.courseStats.map(({ description }: { description: string }) => description)).toEqual(Array(5).fill("a"));
  expect((await ask(learner, "What now?")).status).toBe(200);
});

test("hostile courses and questions are searched in bounded time", async () => {
  const chapters = buildChapters(6, 200).map((chapter, c) => ({
    ...chapter,
    chapterContent: chapter.chapterContent.map((lecture, l) => ({
      ...lecture,
      lectureTitle: `w${c}x${l} v${c}y${l} u${c}z${l} ${"long".repeat(30)}`,
    })),
  }));
  const learner = await learnerOf(1, { courseContent: chapters });
  const first = await ask(learner, "Where is w0x1 explained?");
  expect(first.body.sources[0].lectureId).toBe("ch1-l2");
  const words = Array.from({ length: 420 }, (_, n) => `pra${n}xy`).join(" ");
  for (const question of [`practical ${words}`, `practical prac${"x".repeat(3_900)}`]) {
    const from = performance.now();
    expect((await ask(learner, question)).status).toBe(200);
    expect(performance.now() - from).toBeLessThan(2_000);
  }
});
