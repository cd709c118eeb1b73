import { expect, test } from "vitest";
import { commandsDuring } from "../../assertions/commands.js";
import { refusal } from "../../assertions/refusal.js";
import { startDatabaseProxy } from "../../server/database-proxy.js";
import { startTestServer, type TestServer } from "../../server/test-server.js";

/* Searches wait for each other; how long, and how many, is bounded. */

/** A server whose database takes `ms` longer for each command. */
async function slowServer(ms: number): Promise<TestServer> {
  const server = await startTestServer();
  const { id } = await server.signedIn();
  await server.deps.db.CommunityPost.create({ authorId: id, title: "Types", content: "help" });
  const proxy = await startDatabaseProxy(server.databaseUri);
  const uri = new URL(proxy.uri);
  uri.searchParams.set("monitorCommands", "true");
  const slow = await server.another({ MONGODB_URI: uri.href });
  proxy.slowDown(ms);
  return slow;
}

const search = (server: TestServer, signal?: AbortSignal) =>
  fetch(`${server.url}/api/community/posts?q=types`, signal ? { signal } : {});

test("when too many searches wait, further ones are told to come back", async () => {
  const server = await slowServer(50);
  const answers = await Promise.all(Array.from({ length: 120 }, () => search(server)));
  const refused = answers.filter(({ status }) => status === 503);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(20);
  expect(refused.length).toBeGreaterThanOrEqual(20);
  for (const answer of refused) {
    expect(answer.headers.get("retry-after")).toBe("2");
    expect({ status: answer.status, body: await answer.json() }).toEqual(
      refusal(503, "Search is busy. Please try again."),
    );
  }
  expect((await search(server)).status).toBe(200);
  expect((await server.get("/api/community/posts")).status).toBe(200);
});

test("a search that waited too long is told to come back", async () => {
  const server = await slowServer(900);
  const answers = await Promise.all(Array.from({ length: 44 }, () => search(server)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4);
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(4);
});

test("searches that were abandoned while they waited are never sent to the database", async () => {
  const server = await slowServer(400);
  const commands = await commandsDuring(server, async () => {
    const flood = new AbortController();
    const abandoned = Array.from({ length: 60 }, () => search(server, flood.signal).catch(() => undefined));
    await new Promise((resolve) => setTimeout(resolve, 200));
    flood.abort();
    await Promise.all(abandoned);
    expect((await search(server)).status).toBe(200);
  });
  expect(commands.filter(({ find }) => find === "communityposts").length).toBeLessThanOrEqual(20);
});
