import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { beyondBudget, budgetSize, storedBudget } from "../../bench/report/budget.js";
import { measureRoutes, type RouteCost } from "../assertions/route-costs.js";
import { startTestServer } from "../server/test-server.js";
import { everyRoute } from "./examples/every-route.js";

/*
 * What every route costs the database: no more commands than are declared beside it, and the same with a hundred times
 * as much of everything.
 */

const { paths } = JSON.parse(await readFile("openapi.json", "utf8"));
const routes = Object.entries(paths as Record<string, Record<string, { "x-commands"?: number }>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
);

/** Answers that hold everything there is of their kind, and what is read whole for them. */
const complete = new Set([
  "GET /api/course/all",
  "GET /api/educator/enrolled-students.csv",
  "GET /api/admin/purchases.csv",
  "GET /api/admin/stats",
  "GET /metrics",
]);

const costs: Record<"few" | "many", Record<string, RouteCost>> = { few: {}, many: {} };

beforeAll(async () => {
  for (const [name, size] of [
    ["few", budgetSize / 100],
    ["many", budgetSize],
  ] as const) {
    costs[name] = await measureRoutes(await startTestServer({ watchCommands: true }), size);
  }
}, 300_000);

test("every route has an example and declares how many commands it may send", () => {
  expect(routes.map(([route]) => route).filter((route) => !everyRoute[route])).toEqual([]);
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
  if (process.env.MONGODB_URI === undefined) {
    expect(many?.scans).toEqual([]);
    expect(many?.keys).toEqual(few?.keys);
  }
  expect(many?.documents).toEqual(few?.documents);
  expect(many?.bytes).toBeLessThan((few?.bytes ?? 0) * 1.2 + 100);
});

// Another engine examines other keys.
test.skipIf(process.env.MONGODB_URI)("no route costs more than bench/budget.json says", async () => {
  const advice = "when it has to: npm run bench -- --accept";
  expect(beyondBudget(costs.many, await storedBudget()), advice).toEqual([]);
});
