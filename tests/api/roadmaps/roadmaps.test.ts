import { beforeEach, describe, expect, test } from "vitest";
import { callsAbout } from "../../assertions/ai-calls.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { aiOf } from "../../server/emulators.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
beforeEach(() => {
  aiOf(server).faults.clear();
  aiOf(server).forgetCalls();
});

const custom = (token: string, topic: unknown) => server.post("/api/user/generate-custom-roadmap", { topic }, token);
const personal = (token: string) => server.post("/api/user/generate-personal-roadmap", {}, token);
const answer = (content: string, times?: number) =>
  aiOf(server).faults.add({ kind: "answer", content, ...(times ? { times } : {}) });

const parseFailure = { success: false, message: "Failed to parse AI response. Please try again." };
const fault = { success: false, message: "An unexpected error occurred" };
const small = {
  title: "T",
  summary: "S",
  stages: [{ id: "a", label: "A", status: "current", skills: ["x", "y"] }],
};

describe("a custom roadmap", () => {
  test("is made for a topic and has the stages the client renders", async () => {
    const { token } = await server.signedIn();
    const { status, body } = await custom(token, "Rust");
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["roadmap", "success"]);
    expect(body.roadmap.stages.map(({ id }: { id: string }) => id)).toEqual([
      "foundations",
      "core_skills",
      "advanced",
      "mastery",
    ]);
    expect(aiOf(server).calls()).toHaveLength(1);
  });

  test.each([
    ["quotes, breaks and slashes", ' "Type\\Script"\r\n`for`\t  "beginners" ', "Type Script for beginners"],
    ["120 characters in quotes", `"${"🙂".repeat(120)}"`, "🙂".repeat(120)],
  ])("takes a topic with %s as clean text", async (_case, topic, clean) => {
    const { token } = await server.signedIn();
    expect((await custom(token, topic)).status).toBe(200);
    expect(callsAbout(server, JSON.stringify({ topic: clean }))).toHaveLength(1);
  });

  test("is refused without a usable topic, and nothing is asked of the provider", async () => {
    const { token } = await server.signedIn();
    const topics = [undefined, "", "x", '"""""""" ``', ' "a" ', "y".repeat(121), 42, null, ["Rust"], { $gt: "" }];
    for (const topic of topics) {
      expect(await custom(token, topic)).toMatchObject({
        status: 400,
        body: { success: false, message: "Please provide a valid topic (at least 2 characters)." },
      });
    }
    expect(aiOf(server).calls()).toEqual([]);
  });
});

describe("the model's answer", () => {
  test.each([
    ["raw", JSON.stringify(small)],
    ["fenced", `\`\`\`json\n${JSON.stringify(small, null, 2)}\n\`\`\``],
    ["inside prose", `Of course! Here it is: ${JSON.stringify(small)} Good luck.`],
  ])("is accepted as %s JSON", async (_case, content) => {
    const { token } = await server.signedIn();
    answer(content);
    expect((await custom(token, "Rust")).body).toEqual({ success: true, roadmap: small });
  });

  test("loses keys that the client does not know", async () => {
    const { token } = await server.signedIn();
    answer(JSON.stringify({ ...small, secret: 1, stages: [{ ...small.stages[0], extra: {}, __proto__: { a: 1 } }] }));
    expect((await custom(token, "Rust")).body.roadmap).toEqual(small);
  });

  test("that is junk is asked for once more", async () => {
    const { token } = await server.signedIn();
    answer("Sorry, what?", 1);
    expect((await custom(token, "Rust")).status).toBe(200);
    expect(aiOf(server).calls()).toHaveLength(2);
  });

  test.each([
    ["junk", { kind: "junk" }, parseFailure, 2],
    ["of the wrong shape", { kind: "schema-violation" }, parseFailure, 2],
    ["a refusal", { kind: "refusal" }, parseFailure, 2],
    ["truncated", { kind: "truncation" }, parseFailure, 2],
    ["empty", { kind: "empty" }, parseFailure, 2],
    ["a 500", { kind: "error" }, fault, 2],
    ["a 429 with a short pause", { kind: "rate-limit", retryAfterSeconds: 0 }, fault, 2],
    ["a 429 with a long pause", { kind: "rate-limit", retryAfterSeconds: 60 }, fault, 1],
    ["cut off", { kind: "cut" }, fault, 2],
  ] as const)("that is %s every time ends in 500", async (_case, scripted, wanted, calls) => {
    const { id, token } = await server.signedIn();
    aiOf(server).faults.add(scripted);
    expect(await custom(token, "Rust")).toMatchObject({ status: 500, body: wanted });
    expect(aiOf(server).calls()).toHaveLength(calls);
    const course = await buildCourse(server);
    await enroll(server, id, course._id);
    expect(await personal(token)).toMatchObject({ status: 500, body: wanted });
    aiOf(server).faults.clear();
    expect((await custom(token, "Rust")).status).toBe(200);
  });
});

describe("a personal roadmap", () => {
  test("needs a user record, then a course", async () => {
    const { id, token } = await server.signedIn();
    expect(await personal(token)).toMatchObject({
      status: 404,
      body: { success: false, message: "No enrolled courses found. Enroll in some courses first." },
    });
    await server.deps.db.User.deleteOne({ _id: id });
    expect(await personal(token)).toMatchObject({
      status: 404,
      body: { success: false, message: "User not found" },
    });
    expect(aiOf(server).calls()).toEqual([]);
  });

  test("comes with each course's progress, oldest enrollment first", async () => {
    const { id, token } = await server.signedIn();
    const long = `# Heading\n\nSome **bold** [link](https://x.example) and \`code\`.\n\n- item\n\n${"word ".repeat(100)}`;
    const first = await buildCourse(server, {
      courseTitle: "First",
      courseDescription: long,
      courseContent: buildChapters(1, 3),
    });
    const second = await buildCourse(server, { courseTitle: "Second", courseContent: [] });
    await enroll(server, id, first._id);
    await enroll(server, id, second._id);
    await server.deps.db.CourseProgress.create({
      userId: id,
      courseId: first._id,
      lectureCompleted: ["ch1-l1", "ch1-l3", "elsewhere"],
    });
    const { status, body } = await personal(token);
    expect(status).toBe(200);
    expect(body.courseStats).toEqual([
      {
        title: "First",
        description: expect.stringMatching(/^Heading Some bold link and code\. item word word/),
        completionPercent: 67,
        totalLectures: 3,
        doneLectures: 2,
      },
      {
        title: "Second",
        description: "Types that help.",
        completionPercent: 0,
        totalLectures: 0,
        doneLectures: 0,
      },
    ]);
    expect([...body.courseStats[0].description].length).toBeLessThanOrEqual(250);
    expect(body.roadmap.stages.map(({ id: stage }: { id: string }) => stage)).toEqual([
      "mastered",
      "in_progress",
      "next_steps",
      "career_paths",
    ]);
  });
});

test("a client that goes away stops the provider's call", async () => {
  const { token } = await server.signedIn();
  aiOf(server).faults.add({ kind: "hang" });
  const leaving = new AbortController();
  const asked = fetch(`${server.url}/api/user/generate-custom-roadmap`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ topic: "leaving early" }),
    signal: leaving.signal,
  });
  await expect.poll(() => callsAbout(server, "leaving early")).toHaveLength(1);
  leaving.abort();
  await expect(asked).rejects.toThrow();
  await expect.poll(() => callsAbout(server, "leaving early").map(({ state }) => state)).toEqual(["aborted"]);
});

test("both roadmaps and quiz generation draw on one allowance of ten an hour", async () => {
  const { token } = await server.signedIn("educator");
  const requests = Array.from({ length: 12 }, (_r, i) => {
    if (i % 3 === 0) return custom(token, "");
    return i % 3 === 1 ? personal(token) : server.post("/api/quiz/generate", {}, token);
  });
  const answers = await Promise.all(requests);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
  expect(answers.find(({ status }) => status === 429)?.body).toEqual({
    success: false,
    message: "Too many generation requests. Please try again later.",
  });
});
