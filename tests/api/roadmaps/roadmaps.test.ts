import { beforeEach, describe, expect, test } from "vitest";
import { callsAbout } from "../../assertions/ai-calls.js";
import { refusal } from "../../assertions/refusal.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { aiOf } from "../../server/emulators.js";
import { startTestServer } from "../../server/test-server.js";
import { postAndLeave } from "../chat/leaving-client.js";

const server = await startTestServer({ own: "lets the AI fail, which other files would notice" });
beforeEach(() => {
  aiOf(server).faults.clear();
  aiOf(server).forgetCalls();
});

const custom = (token: string, topic: unknown) => server.post("/api/user/generate-custom-roadmap", { topic }, token);
const personal = (token: string) => server.post("/api/user/generate-personal-roadmap", {}, token);

const parseFailure = { success: false, message: "Failed to parse AI response. Please try again." };
const fault = { success: false, message: "An unexpected error occurred" };

describe("a custom roadmap", () => {
  test("is made for a topic and has the stages the client renders", async () => {
    const { token } = await server.signedIn();
    const { status, body } = await custom(token, "Rust");
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["roadmap", "success"]);
    const stages = ["foundations", "core_skills", "advanced", "mastery"];
    expect(body.roadmap.stages.map(({ id }: { id: string }) => id)).toEqual(stages);
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
      expect(await custom(token, topic)).toMatchObject(
        refusal(400, "Please provide a valid topic (at least 2 characters)."),
      );
    }
    expect(aiOf(server).calls()).toEqual([]);
  });
});

describe("the model's answer", () => {
  test.each([
    ["junk", { kind: "junk" }, parseFailure, 2],
    ["truncated", { kind: "truncation" }, parseFailure, 2],
    ["a 500", { kind: "error" }, fault, 2],
    ["a 429 with a long pause", { kind: "rate-limit", retryAfterSeconds: 60 }, fault, 1],
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
    expect(await personal(token)).toMatchObject(
      refusal(404, "No enrolled courses found. Enroll in some courses first."),
    );
    await server.deps.db.User.deleteOne({ _id: id });
    expect(await personal(token)).toMatchObject(refusal(404, "User not found"));
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
      { title: "Second", description: "Types that help.", completionPercent: 0, totalLectures: 0, doneLectures: 0 },
    ]);
    expect([...body.courseStats[0].description].length).toBeLessThanOrEqual(250);
    const stages = ["mastered", "in_progress", "next_steps", "career_paths"];
    expect(body.roadmap.stages.map(({ id: stage }: { id: string }) => stage)).toEqual(stages);
  });
});

test("a client that goes away stops the provider's call", async () => {
  const { token } = await server.signedIn();
  aiOf(server).faults.add({ kind: "hang" });
  const { leave } = postAndLeave(server, "/api/user/generate-custom-roadmap", { topic: "leaving early" }, token);
  await expect.poll(() => callsAbout(server, "leaving early")).toHaveLength(1);
  await leave();
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
