import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandsDuring } from "../assertions/commands.js";
import { startTestServer } from "../server/test-server.js";
import { everyRoute } from "./examples/every-route.js";
import { buildScene } from "./examples/scene.js";

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

const server = await startTestServer({ watchCommands: true });

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

test("the queries of hot routes name the shard key of docs/scale.md, except the listed ones", async () => {
  const scene = await buildScene(server, 5);
  const keys = shardKeys();
  const seen: Record<string, boolean> = {};
  for (const route of hotRoutes) {
    const { path, ...sent } = await (everyRoute[route] as (typeof everyRoute)[string])(scene);
    const commands = await commandsDuring(server, () => server.call(route.split(" ", 1)[0] ?? "", path, sent));
    for (const command of commands) {
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
  const lists = { named: 0, everyShard: [] as string[] };
  for (const [query, names] of Object.entries(seen)) {
    if (names) lists.named += 1;
    else lists.everyShard.push(query);
  }
  expect(lists.named).toBeGreaterThan(15);
  expect(lists.everyShard.sort()).toMatchInlineSnapshot(`
    [
      "POST /api/user/purchase: findAndModify purchases by _id, status",
      "POST /api/user/verify-razorpay: find paymentevents by event, paymentId",
      "POST /api/user/verify-razorpay: findAndModify purchases by _id, createdAt, providerOrderId, status",
      "POST /razorpay: findAndModify purchases by _id, amount, createdAt, currency, providerOrderId, status",
      "POST /razorpay: update paymentevents by _id",
    ]
  `);
});
