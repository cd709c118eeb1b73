import MiniSearch from "minisearch";
import { afterEach, expect, test, vi } from "vitest";
import { commandsDuring } from "../../assertions/commands.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

/* What one request of the AI features may cost, whatever courses and questions hold. */

const server = await startTestServer({ watchCommands: true });
afterEach(() => {
  vi.restoreAllMocks();
});

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

test("a course is read once for all requests that need it, until it changes", async () => {
  const learner = await learnerOf(2);
  const contentsRead = async (work: () => Promise<unknown>) =>
    (await commandsDuring(server, work)).filter(
      ({ find, projection }) =>
        find === "courses" && Object.keys(projection ?? {}).some((key) => key.startsWith("courseContent")),
    ).length;
  const many = () => Promise.all([1, 2, 3, 4].flatMap((n) => [roadmap(learner), ask(learner, `question ${n}`)]));
  expect(await contentsRead(many)).toBe(1);
  expect(await contentsRead(many)).toBe(0);
  await server.deps.db.Course.updateMany({}, { $inc: { version: 1 } });
  expect(await contentsRead(many)).toBe(1);
});

test("a long question is searched for by a bounded number of its words", async () => {
  const learner = await learnerOf(2);
  const search = vi.spyOn(MiniSearch.prototype, "search");
  const words = Array.from({ length: 420 }, (_, n) => `pra${n}xy`).join(" ");
  expect(words.length).toBeLessThanOrEqual(4_000);
  expect((await ask(learner, `practical ${words}`)).status).toBe(200);
  const lookedUp = search.mock.calls.map(([query]) => String(query));
  expect(lookedUp.length).toBeGreaterThan(0);
  expect(lookedUp.join(" ").length).toBeLessThan(2 * 24 * 41);
});

test("a large course is indexed in part: its first lectures, a bounded number of words, and no word that is too long", async () => {
  const chapters = buildChapters(20, 200).map((chapter, c) => ({
    ...chapter,
    chapterContent: chapter.chapterContent.map((lecture, l) => ({
      ...lecture,
      lectureTitle: `w${c}x${l} v${c}y${l} u${c}z${l} ${"long".repeat(30)}`,
    })),
  }));
  const learner = await learnerOf(1, { courseContent: chapters });
  const add = vi.spyOn(MiniSearch.prototype, "add");
  const { body } = await ask(learner, "Where is w0x1 explained?");
  expect(body.sources[0].lectureId).toBe("ch1-l2");
  expect(add.mock.calls.length).toBeLessThanOrEqual(1_001);
  const [index] = add.mock.contexts as MiniSearch[];
  expect(index?.termCount).toBeLessThanOrEqual(2_500);
});

test("a question of one endless word is answered", async () => {
  const learner = await learnerOf(1);
  const search = vi.spyOn(MiniSearch.prototype, "search");
  expect((await ask(learner, `practical prac${"x".repeat(3_900)}`)).status).toBe(200);
  for (const [query] of search.mock.calls) expect(String(query).length).toBeLessThanOrEqual(40);
});
