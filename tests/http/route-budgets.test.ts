import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { commandsDuring, type Effort, effortOf } from "../assertions/commands.js";
import { identityOf, paymentsOf } from "../server/emulators.js";
import { startTestServer } from "../server/test-server.js";
import { community } from "./examples/community.js";
import { learning } from "./examples/learning.js";
import { buildScene, type Examples } from "./examples/scene.js";
import { selling } from "./examples/selling.js";
import { teaching } from "./examples/teaching.js";

/*
 * What every route costs the database: no more commands than are declared beside it, and the same with a hundred times
 * as much of everything.
 */

const { paths } = JSON.parse(await readFile("openapi.json", "utf8"));
const routes = Object.entries(paths as Record<string, Record<string, { "x-commands"?: number }>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
);
const examples: Examples = { ...learning, ...community, ...selling, ...teaching };

/** Answers that hold everything there is of their kind, and what is read whole for them. */
const complete = new Set([
  "GET /api/course/all",
  "GET /api/educator/enrolled-students",
  "GET /api/educator/enrolled-students.csv",
  "GET /api/admin/purchases.csv",
  "GET /api/admin/stats",
  "GET /metrics",
]);

interface Cost extends Effort {
  readonly bytes: number;
}
const costs: Record<"few" | "many", Record<string, Cost>> = { few: {}, many: {} };

beforeAll(async () => {
  for (const [name, size] of [
    ["few", 3],
    ["many", 300],
  ] as const) {
    const server = await startTestServer({ watchCommands: true });
    const scene = await buildScene(server, size);
    await server.get("/api/course/all");
    for (const [route, example] of Object.entries(examples)) {
      const { path, ...sent } = await example(scene);
      const method = route.split(" ", 1)[0] ?? "";
      let bytes = 0;
      // What a provider reports because of the request is a request of its own.
      const reports = [paymentsOf(server).tricks, identityOf(server.emulators).tricks];
      for (const tricks of reports) tricks.suppress = true;
      const commands = await commandsDuring(server, async () => {
        const { status, body } = await server.call(method, path, sent);
        expect({ route, status, body }).toMatchObject({ route, status: 200 });
        bytes = JSON.stringify(body).length;
      });
      for (const tricks of reports) tricks.suppress = false;
      // Now and then the catalog also asks which figures moved, whoever asks for it.
      const own = commands.filter(({ filter, leases }) => filter?.figuresChangedAt === undefined && !leases);
      costs[name][route] = { ...(await effortOf(server, own)), bytes };
    }
  }
}, 300_000);

test("every route has an example and declares how many commands it may send", () => {
  expect(routes.map(([route]) => route).filter((route) => !examples[route])).toEqual([]);
  expect(routes.filter(([, operation]) => operation["x-commands"] === undefined).map(([route]) => route)).toEqual([]);
});

test.each(routes)("%s sends no more commands than it declares", (route, operation) => {
  const { commands = [] } = costs.many[route] ?? {};
  const declared = operation["x-commands"] ?? 0;
  expect(commands.length, `${route}: ${commands.join(", ")}`).toBeLessThanOrEqual(declared);
});

test.each(routes.map(([route]) => route))("%s costs the same among a hundred times as many others", (route) => {
  const { few, many } = { few: costs.few[route], many: costs.many[route] };
  if (complete.has(route)) return;
  expect([...(many?.commands ?? [])].sort()).toEqual([...(few?.commands ?? [])].sort());
  // The planner of another engine passes an index by while a collection is small.
  if (process.env.MONGODB_URI === undefined) expect(many?.scans).toEqual([]);
  expect(many?.documents).toEqual(few?.documents);
  expect(many?.bytes).toBeLessThan((few?.bytes ?? 0) * 1.2 + 100);
});
