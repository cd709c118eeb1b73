import { expect, test } from "vitest";
import { refusal } from "../assertions/refusal.js";
import { buildCourse, enroll } from "../factories/courses.js";
import { startTestServer } from "../server/test-server.js";
import { holdOpen, underWay } from "../server/unfinished-requests.js";

const busy = refusal(503, "The server is busy. Please try again in a moment.");

test("a user has at most 64 requests under way; others, payments and webhooks are not held up", async () => {
  const server = await startTestServer({ own: "counts requests under way" });
  const [learner, other] = [await server.signedIn(), await server.signedIn()];
  const course = await buildCourse(server);
  await enroll(server, learner.id, course._id);
  const ends = await holdOpen(server, learner, 63);
  await expect.poll(() => underWay(server)).toBe(63);
  expect((await server.get("/api/user/data", learner.token)).status).toBe(200);
  await holdOpen(server, learner, 1);
  await expect.poll(() => underWay(server)).toBe(64);
  const paths = ["/api/user/data", "/api/course/all", `/api/quiz/${course._id}/ch1`, "/api/community/groups"];
  for (const path of paths) {
    const refused = await server.get(path, learner.token);
    expect([path, refused]).toMatchObject([path, busy]);
    expect([refused.headers.get("retry-after"), refused.headers.get("x-error-code")]).toEqual(["2", "overloaded"]);
  }
  const generate = await server.post(`/api/user/certificate/generate/${course._id}`, {}, learner.token);
  expect(generate).toMatchObject(busy);
  // What is refused for this reason counts nowhere else.
  expect(generate.headers.get("ratelimit-remaining")).toBeNull();
  expect((await server.get("/api/user/data", other.token)).status).toBe(200);
  expect((await server.get("/api/course/all")).status).toBe(200);
  for (const path of ["/api/user/purchase", "/api/user/verify-razorpay"])
    expect([path, (await server.post(path, {}, learner.token)).status]).toEqual([path, 400]);
  ends();
  await expect.poll(async () => (await server.get("/api/user/data", learner.token)).status).toBe(200);
});
