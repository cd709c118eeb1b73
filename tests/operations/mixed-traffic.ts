import { setTimeout as pause } from "node:timers/promises";
import { buildCourse } from "../factories/courses.js";
import { paymentsOf } from "../server/emulators.js";
import type { TestServer } from "../server/test-server.js";

export interface Traffic {
  /** Requests that were answered, by method and path with `:id` for ids. */
  readonly answered: Map<string, number>;
  /** What was answered otherwise than with success, and what was not answered. */
  readonly failed: string[];
  /** Purchases that the server has acknowledged as paid. */
  readonly bought: { readonly userId: string; readonly courseId: string }[];
  /** Ends when each visitor has come to an end. */
  stop(): Promise<void>;
}

/**
 * Visitors, each a new learner after another, who browse, buy, learn, rate and write until stopped.
 * @param url where they go to; users and courses are made through `server`.
 */
export async function startMixedTraffic(server: TestServer, url: string, visitors: number): Promise<Traffic> {
  const answered = new Map<string, number>();
  const failed: string[] = [];
  const bought: Traffic["bought"] = [];
  const courses = [await buildCourse(server), await buildCourse(server, { coursePrice: 450, discount: 0 })];
  let stopping = false;

  async function call(method: string, path: string, token: string, body?: object): Promise<any> {
    const name = `${method} ${path.replaceAll(/[0-9a-f]{24}/g, ":id")}`;
    try {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body ? { "content-type": "application/json" } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      if (!response.ok) failed.push(`${name}: ${response.status} ${text.slice(0, 200)}`);
      answered.set(name, (answered.get(name) ?? 0) + 1);
      return JSON.parse(text);
    } catch (error) {
      failed.push(`${name}: ${error}`);
      return {};
    }
  }

  async function visit(): Promise<void> {
    const { id, token } = await server.signedIn();
    const course = courses[Math.floor(Math.random() * courses.length)] ?? courses[0];
    if (!course) return;
    const courseId = String(course._id);
    await call("GET", "/api/course/all", token);
    await call("GET", `/api/course/${courseId}`, token);
    const { purchaseId, orderId } = await call("POST", "/api/user/purchase", token, { courseId });
    if (!orderId) return;
    const paid = await paymentsOf(server).pay(orderId);
    const verified = await call("POST", "/api/user/verify-razorpay", token, { ...paid, purchaseId });
    if (verified.success) bought.push({ userId: id, courseId });
    for (const { lectureId } of course.courseContent.flatMap(({ chapterContent }) => chapterContent)) {
      await call("POST", "/api/user/update-course-progress", token, { courseId, lectureId });
    }
    await call("POST", "/api/user/add-rating", token, { courseId, rating: 4 });
    await call("POST", "/api/user/track-time", token, { page: "Learning", path: `/player/${courseId}`, duration: 60 });
    const { post } = await call("POST", "/api/community/posts", token, { title: "How?", content: "I wonder." });
    if (post) {
      await call("POST", `/api/community/posts/${post._id}/replies`, token, { content: "Like this." });
      await call("POST", `/api/community/posts/${post._id}/upvote`, token, {});
    }
    await call("GET", "/api/community/posts?limit=20", token);
    await call("POST", "/api/user/ai-chat", token, { content: "What is a monad?" });
    await call("GET", "/api/user/data", token);
    await call("GET", "/api/user/enrolled-courses", token);
  }

  const walks = Array.from({ length: visitors }, async () => {
    while (!stopping) {
      await visit().catch((error: unknown) => failed.push(String(error)));
      await pause(20);
    }
  });
  return {
    answered,
    failed,
    bought,
    async stop() {
      stopping = true;
      await Promise.all(walks);
      await paymentsOf(server).settled();
    },
  };
}
