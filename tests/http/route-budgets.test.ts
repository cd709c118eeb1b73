import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { addBudgets, beyondBudget, budgetSize, storedBudget } from "../../bench/report/budget.js";
import { measureRoutes, type RouteCost } from "../assertions/route-costs.js";
import { startTestServer } from "../server/test-server.js";

/*
 * What every route costs the database: no more commands than bench/budget.json allows, and the same number among a
 * hundred times as many rows. `npm run generate` adds the budgets of new routes.
 */

const documents = await Promise.all(["openapi.json", "openapi-webhooks.json"].map((file) => readFile(file, "utf8")));
const paths: Record<string, object> = Object.assign({}, ...documents.map((text) => JSON.parse(text).paths));
const routes = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);
let budget = await storedBudget();
const adding = process.env.ADD_BUDGETS !== undefined;

/** Answers that hold everything there is of their kind, and what is read whole for them. */
const complete = new Set([
  "GET /api/course/all",
  "GET /api/educator/enrolled-students.csv",
  "GET /api/admin/purchases.csv",
  "GET /api/educator/courses/{id}/gradebook.csv",
  "GET /api/admin/courses/{id}/gradebook.csv",
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
  if (adding) budget = await addBudgets(costs.many);
}, 300_000);

test("every route has a budget", () => {
  expect(routes.filter((route) => !budget[route])).toEqual([]);
});

test.each(routes)("%s sends no more commands than its budget", (route) => {
  const { commands = [] } = costs.many[route] ?? {};
  expect(commands.length, `${route}: ${commands.join(", ")}`).toBeLessThanOrEqual(budget[route]?.commands ?? 0);
});

test.each(routes)("%s costs the same among a hundred times as many others", (route) => {
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
  expect(beyondBudget(costs.many, budget), advice).toEqual([]);
});
