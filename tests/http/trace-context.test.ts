import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createLog } from "../../src/process.js";
import { buildCourse, enroll } from "../factories/courses.js";
import { startTestServer } from "../server/test-server.js";

const lines: Record<string, unknown>[] = [];
const log = createLog("info", [], { write: (line: string) => void lines.push(JSON.parse(line)) });
const server = await startTestServer({ log });
const learner = await server.signedIn();

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
const { RAZORPAY_API_URL, CLOUDINARY_URL, OPENAI_BASE_URL } = server.emulators.variables;
const providers = {
  payments: new URL(RAZORPAY_API_URL ?? "").host,
  storage: new URL(new URL(CLOUDINARY_URL ?? "").searchParams.get("upload_prefix") ?? "").host,
  ai: new URL(OPENAI_BASE_URL ?? "").host,
};

/** Headers of every request that this process was sent, the emulators' included. */
const arrived: IncomingMessage["headers"][] = [];
const arrives = (message: unknown) => void arrived.push((message as { request: IncomingMessage }).request.headers);
subscribe("http.server.request.start", arrives);
afterAll(() => void unsubscribe("http.server.request.start", arrives));
beforeEach(() => void arrived.splice(0));

const sentTo = (provider: keyof typeof providers) => arrived.filter(({ host }) => host === providers[provider]);

const calls: Record<keyof typeof providers, (headers: Record<string, string>) => Promise<{ status: number }>> = {
  async payments(headers) {
    const [buyer, { _id }] = [await server.signedIn(), await buildCourse(server, { coursePrice: 100 })];
    return server.post("/api/user/purchase", { courseId: String(_id) }, buyer.token, headers);
  },
  async storage(headers) {
    const course = await buildCourse(server);
    const courseId = String(course._id);
    await enroll(server, learner.id, course._id);
    for (const { lectureId } of course.courseContent.flatMap(({ chapterContent }) => chapterContent)) {
      await server.post("/api/user/update-course-progress", { courseId, lectureId }, learner.token, headers);
    }
    return server.post(`/api/user/certificate/generate/${courseId}`, {}, learner.token, headers);
  },
  ai: (headers) => server.post("/api/user/ai-chat", { content: "What is a monad?" }, learner.token, headers),
};

for (const [provider, call] of Object.entries(calls) as [keyof typeof providers, (typeof calls)["ai"]][]) {
  test(`the trace of a request is passed on to a provider: ${provider}`, async () => {
    const headers = { traceparent, tracestate: "vendor=value", "x-request-id": `traced-${provider}` };
    expect(await call(headers)).toMatchObject({ status: 200 });
    const [sent] = sentTo(provider);
    const [, ofTrace, spanId, flags] = String(sent?.traceparent).split("-");
    expect({ ofTrace, flags }).toEqual({ ofTrace: traceId, flags: "01" });
    expect(sent?.tracestate).toBe("vendor=value");
    expect(spanId).toMatch(/^(?!00f067aa0ba902b7)[0-9a-f]{16}$/);
    const ofThisRequest = { eventId: "request", requestId: `traced-${provider}`, trace_id: traceId, span_id: spanId };
    await expect.poll(() => lines).toContainEqual(expect.objectContaining(ofThisRequest));
  });
}

test("every line of a request names its trace, and no line of another does", async () => {
  lines.splice(0);
  await calls.ai({ traceparent });
  const asked = () => lines.find(({ eventId }) => eventId === "ai_request");
  await expect.poll(asked).toMatchObject({ trace_id: traceId });
  lines.splice(0);
  await calls.ai({});
  await expect.poll(asked).toBeDefined();
  expect(asked()).not.toHaveProperty("trace_id");
});

test("a malformed traceparent is not continued", async () => {
  for (const malformed of [
    "",
    traceId,
    traceparent.toUpperCase(),
    `ff${traceparent.slice(2)}`,
    `${traceparent}-more`,
    `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `${traceparent}\t`.repeat(100),
  ]) {
    arrived.splice(0);
    const id = `malformed-${Math.random()}`;
    await calls.payments({ traceparent: malformed, "x-request-id": id });
    expect(sentTo("payments").map((sent) => sent.traceparent)).toEqual([undefined]);
    await expect.poll(() => lines.find(({ requestId }) => requestId === id)).toBeDefined();
    expect(lines.find(({ requestId }) => requestId === id)).not.toHaveProperty("trace_id");
  }
});
