import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { commandsUntilQuiet } from "../../assertions/commands.js";
import { insertRows } from "../../factories/stored-sales.js";
import { startTestServer } from "../../server/test-server.js";

test("posts are read no further for a reader that takes nothing", async () => {
  const server = await startTestServer({ own: "lists all posts" });
  // More than the sockets in between hold: 30 MB in ten batches.
  const post = { authorId: "user_x", authorName: "X", title: "Large", content: "€".repeat(5_000) };
  const posts = Array.from({ length: 2_000 }, (_, n) => ({ ...post, createdAt: new Date(n), updatedAt: new Date(n) }));
  await insertRows(server.deps.db.CommunityPost, posts);
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  const commands = await commandsUntilQuiet(server, async () => {
    socket.pause();
    socket.write(`GET /api/community/posts HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
    await once(socket, "ready");
  });
  socket.destroy();
  const reads = commands.filter(({ find, getMore }) => find === "communityposts" || getMore).length;
  expect(reads).toBeGreaterThan(1);
  expect(reads).toBeLessThanOrEqual(7);
});
