/**
 * What a learner's requests cost in CPU (server and embedded database in one process) with a hundred times as many
 * tracked sessions of their own and as many other learners, ratings and progress records in their course; measured in
 * turns.
 *
 *     npx tsx bench/learning.ts
 */
import { cpuPerRequest, type Load, median, printTable, startSubject } from "./support.js";

const sizes = { small: 200, large: 20_000 } as const;
const rounds = 5;

const application = await startSubject("bench/subjects/application.ts");
const courseIds = await application.ask<string[]>("courses", { count: 4, students: 0 });

async function learnerIn(name: keyof typeof sizes, own: readonly string[]) {
  const userId = `user_${name}`;
  const token = await application.ask<string>("learner", userId);
  await application.ask("enroll", { userId, courseIds: own });
  await application.ask("history", { userId, courseId: own[0], size: sizes[name] });
  return { courseId: own[0] ?? "", headers: { authorization: `Bearer ${token}`, "content-type": "application/json" } };
}

const worlds = {
  small: await learnerIn("small", courseIds.slice(0, 2)),
  large: await learnerIn("large", courseIds.slice(2)),
};

type Work = (courseId: string) => Omit<Load, "amount" | "headers">;
const post = (path: string, ...bodies: object[]): Omit<Load, "amount" | "headers"> => ({
  path,
  method: "POST",
  bodies: bodies.map((body) => JSON.stringify(body)),
});
const works: Record<string, Work> = {
  "GET data": () => ({ path: "/api/user/data" }),
  "GET enrolled-courses": () => ({ path: "/api/user/enrolled-courses" }),
  "GET continue": () => ({ path: "/api/user/continue" }),
  "GET analytics": () => ({ path: "/api/user/analytics" }),
  "POST update-course-progress": (courseId) =>
    post("/api/user/update-course-progress", { courseId, lectureId: "ch1-l1" }),
  "POST add-rating": (courseId) =>
    post("/api/user/add-rating", { courseId, rating: 2 }, { courseId, rating: 5 }, { courseId, rating: 3 }),
  "POST track-time": (courseId) =>
    post("/api/user/track-time", { page: "Learning", path: `/player/${courseId}`, duration: 30 }),
};

const rows = [];
for (const [name, work] of Object.entries(works)) {
  const used: Record<keyof typeof sizes, number[]> = { small: [], large: [] };
  for (let round = 0; round < rounds; round++) {
    for (const size of ["small", "large"] as const) {
      const { courseId, headers } = worlds[size];
      used[size].push(await cpuPerRequest(application, { ...work(courseId), headers, amount: 200, connections: 5 }));
    }
  }
  const [small, large] = [median(used.small), median(used.large)];
  rows.push({ request: name, "µs at 1×": small, "µs at 100×": large, ratio: large / small });
}
printTable(`A learner's requests at ${sizes.small} and at ${sizes.large} sessions, ratings and learners (CPU)`, rows);
await application.end();
