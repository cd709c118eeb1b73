import { expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { startDatabaseProxy } from "../../server/database-proxy.js";
import { startTestServer } from "../../server/test-server.js";

/* Few searches run at once, and those of one client wait for their turn until there are too many. */

test("a client with too many searches is told to come back, and others search and have connections", async () => {
  const fast = await startTestServer({ own: "holds one post" });
  const { id, token } = await fast.signedIn();
  await fast.deps.db.CommunityPost.create({ authorId: id, title: "Types", content: "help" });
  const proxy = await startDatabaseProxy(fast.databaseUri);
  const uri = new URL(proxy.uri);
  uri.searchParams.set("monitorCommands", "true");
  const server = await fast.another({ MONGODB_URI: uri.href });
  const client = server.deps.database.getClient();
  const underWay = new Set<number>();
  let most = 0;
  client.on("commandStarted", ({ requestId, command }) => {
    if (command.find === "communityposts") underWay.add(requestId);
    most = Math.max(most, underWay.size);
  });
  client.on("commandSucceeded", ({ requestId }) => underWay.delete(requestId));
  const search = (end = "") => fetch(`${server.url}/api/community/posts?q=types${end}`);
  // Forty searches of one client wait for each other.
  const waited = await Promise.all(Array.from({ length: 40 }, (_, i) => search(i % 2 ? "" : "&limit=1")));
  expect(waited.map(({ status }) => status)).toEqual(waited.map(() => 200));
  // A slow search runs, fifty wait, and the others are refused at once.
  proxy.slowDown(1_000);
  const searches = Array.from({ length: 60 }, (_, i) => search(i % 2 ? "" : "&limit=1"));
  expect((await server.get("/api/community/posts?q=types", token)).status).toBe(200);
  await Promise.race(searches);
  proxy.slowDown(0);
  const answers = await Promise.all(searches);
  const refused = answers.filter(({ status }) => status === 503);
  const found = answers.filter(({ status }) => status === 200);
  expect(refused.length).toBe(answers.length - found.length);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThanOrEqual(10);
  expect(most).toBeLessThanOrEqual(8);
  for (const answer of refused) {
    expect(answer.headers.get("retry-after")).toBe("2");
    expect({ status: answer.status, body: await answer.json() }).toEqual(
      refusal(503, "Search is busy. Please try again."),
    );
  }
  for (const answer of found) expect(await answer.json()).toMatchObject({ total: 1 });
  expect((await search()).status).toBe(200);
  expect((await server.get("/api/community/posts")).status).toBe(200);
});
