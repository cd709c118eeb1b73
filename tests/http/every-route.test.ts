import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { addBudgets, beyondBudget, budgetSize, storedBudget } from "../../bench/report/budget.js";
import { cursorLimitMs } from "../../src/models/command-limit.js";
import { watchTransactions } from "../assertions/in-transactions.js";
import { measureRoutes, type RouteCost } from "../assertions/route-costs.js";
import { startTestServer, type TestServer } from "../server/test-server.js";

/*
 * One request to every route, among few and among many rows, is judged by its cost (bench/budget.json), by the time
 * limits of its commands and by the shard keys of its queries. `npm run generate` adds the budgets of new routes.
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

/** After this time the connection of a command is given up, in milliseconds. */
const givenUpMs = 2_500;
/** Commands without a time limit: they end something, or search for nothing. */
const unlimited = ["abortTransaction", "getMore", "insert", "killCursors", "endSessions", "ping"];

const costs: Record<"few" | "many", Record<string, RouteCost>> = { few: {}, many: {} };
/** Commands of a transaction's body that were sent outside the transaction. */
const escaped: string[] = [];
let server: TestServer;

beforeAll(async () => {
  for (const [name, size] of [
    ["few", budgetSize / 100],
    ["many", budgetSize],
  ] as const) {
    server = await startTestServer({ own: "watches every transaction" });
    const transactions = watchTransactions(server);
    costs[name] = await measureRoutes(server, size);
    escaped.push(...transactions.escaped);
  }
  if (adding) budget = await addBudgets(costs.many);
}, 600_000);

test("no command escapes its transaction", () => expect(escaped).toEqual([]));

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
  const advice = "when it has to: delete its line there, then npm run generate";
  expect(beyondBudget(costs.many, budget), advice).toEqual([]);
});

test.each(routes)("%s sends commands with a time limit only", (route) => {
  const without = (costs.few[route]?.sent ?? [])
    .filter((command) => !unlimited.includes(Object.keys(command)[0] ?? ""))
    .filter(({ maxTimeMS }) => !(maxTimeMS < givenUpMs || maxTimeMS === cursorLimitMs));
  expect(without.map((command) => Object.entries(command)[0])).toEqual([]);
});

/** The routes that learners and visitors call most. */
const hotRoutes = [
  "GET /api/course/{id}",
  "GET /api/user/data",
  "GET /api/user/enrolled-courses",
  "POST /api/user/get-course-progress",
  "POST /api/user/update-course-progress",
  "POST /api/user/track-time",
  "POST /api/user/purchase",
  "POST /api/user/verify-razorpay",
  "POST /razorpay",
  "POST /api/quiz/submit",
  "GET /api/community/posts",
  "POST /api/community/posts/{postId}/upvote",
];

/** Reads the shard key of each collection from the table of docs/scale.md. */
function shardKeys(): Map<string, string> {
  const [, table = ""] = readFileSync("docs/scale.md", "utf8").split("\n## Sharding\n");
  const rows = (table.split("\n## ")[0] ?? "").matchAll(/^\| ([\w, ]+?) +\| `(\w+)`/gm);
  return new Map(
    [...rows].flatMap(([, models = "", key = ""]) =>
      models
        .split(", ")
        .map((model): [string, string] => [
          server.deps.database.models[model]?.collection.collectionName ?? model,
          key,
        ]),
    ),
  );
}

/** The names of the fields that a query must equal. */
function equalFields(filter: Record<string, unknown> = {}): string[] {
  return Object.entries(filter).flatMap(([name, value]) =>
    name === "$and" && Array.isArray(value) ? value.flatMap((part) => equalFields(part)) : [name],
  );
}

test("the queries of hot routes name the shard key of docs/scale.md, except the listed ones", () => {
  const keys = shardKeys();
  const seen: Record<string, boolean> = {};
  for (const route of hotRoutes) {
    for (const command of costs.few[route]?.sent ?? []) {
      const { find, aggregate, count, findAndModify, update, delete: remove } = command;
      const collection = find ?? aggregate ?? count ?? findAndModify ?? update ?? remove;
      const key = keys.get(collection);
      if (key === undefined) continue;
      const statements = command.updates ?? command.deletes;
      const filters = statements
        ? statements.map(({ q }: { q: object }) => q)
        : [command.filter ?? command.query ?? command.pipeline?.[0]?.$match];
      for (const filter of filters) {
        const fields = equalFields(filter);
        seen[`${route}: ${Object.keys(command)[0]} ${collection} by ${fields.sort().join(", ")}`] =
          fields.includes(key);
      }
    }
  }
  const everyShard = Object.keys(seen).filter((query) => !seen[query]);
  expect(Object.keys(seen).length - everyShard.length).toBeGreaterThan(15);
  expect(everyShard.sort()).toMatchInlineSnapshot(`
    [
      "POST /api/user/purchase: findAndModify purchases by _id, status",
      "POST /api/user/verify-razorpay: aggregate purchases by _id",
      "POST /api/user/verify-razorpay: find paymentevents by event, paymentId",
      "POST /api/user/verify-razorpay: update purchases by _id",
      "POST /razorpay: aggregate purchases by _id",
      "POST /razorpay: update paymentevents by _id",
      "POST /razorpay: update purchases by _id",
    ]
  `);
});
