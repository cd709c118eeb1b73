import { beforeAll, expect, test } from "vitest";
import { commandsDuring } from "../../assertions/commands.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { writePost, writeReply } from "../../factories/posts.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

/* Nothing goes on in the database after a request has been answered: every command says how long it may take. */

const server = await startTestServer({ watchCommands: true });
/** After this time the connection of a command is given up, in milliseconds. */
const givenUpMs = 2_500;
/** These end what was begun and carry no work of their own. */
const exempt = ["commitTransaction", "abortTransaction", "getMore", "killCursors", "endSessions", "ping"];

let learner: SignedIn;
let paths: Record<string, string>;
beforeAll(async () => {
  learner = await server.signedIn();
  const educator = await server.signedIn("educator");
  const admin = await server.signedIn("admin");
  tokens.learner = learner.token;
  tokens.educator = educator.token;
  tokens.admin = admin.token;
  const course = await buildCourse(server, { educatorId: educator.id });
  await enroll(server, learner.id, course._id);
  const post = await writePost(server, learner);
  const reply = await writeReply(server, learner, post._id);
  const { body } = await server.post("/api/user/ai-chat", { content: "Hello" }, learner.token);
  const groups = await server.get("/api/community/groups");
  paths = {
    ":courseId": String(course._id),
    ":chapterId": "ch1",
    ":postId": post._id,
    ":replyId": reply._id,
    ":sessionId": body.activeSessionId,
    ":groupId": groups.body.groups[0]._id,
  };
});
const tokens: Record<string, string> = {};

const requests: readonly [keyof typeof tokens, string, string, object?][] = [
  ["learner", "GET", "/api/course/all"],
  ["learner", "GET", "/api/course/:courseId"],
  ["learner", "GET", "/api/user/data"],
  ["learner", "GET", "/api/user/enrolled-courses"],
  ["learner", "GET", "/api/user/enrolled-courses/:courseId"],
  ["learner", "GET", "/api/user/analytics"],
  ["learner", "POST", "/api/user/track-time", { page: "Learning", path: "/player/:courseId", duration: 5 }],
  ["learner", "POST", "/api/user/update-course-progress", { courseId: ":courseId", lectureId: "ch1-l1" }],
  ["learner", "POST", "/api/user/get-course-progress", { courseId: ":courseId" }],
  ["learner", "POST", "/api/user/add-rating", { courseId: ":courseId", rating: 4 }],
  ["learner", "POST", "/api/user/ai-chat", { content: "Which chapter?", sessionId: ":sessionId" }],
  ["learner", "POST", "/api/user/previous-chats", {}],
  ["learner", "GET", "/api/user/chat/:sessionId"],
  ["learner", "POST", "/api/user/generate-personal-roadmap", {}],
  ["learner", "GET", "/api/quiz/:courseId/:chapterId"],
  ["learner", "GET", "/api/community/groups"],
  ["learner", "POST", "/api/community/groups/:groupId/membership", {}],
  ["learner", "GET", "/api/community/posts"],
  ["learner", "GET", "/api/community/posts?q=types&limit=1"],
  ["learner", "GET", "/api/community/posts?tab=myGroups&limit=1&page=2"],
  ["learner", "GET", "/api/community/posts/:postId"],
  ["learner", "POST", "/api/community/posts/:postId/upvote", {}],
  ["learner", "POST", "/api/community/posts/:postId/replies", { content: "More" }],
  ["learner", "PATCH", "/api/community/posts/:postId/replies/:replyId/accept", {}],
  ["educator", "GET", "/api/educator/courses"],
  ["educator", "GET", "/api/educator/dashboard"],
  ["educator", "GET", "/api/educator/enrolled-students"],
  ["admin", "GET", "/api/admin/stats"],
  ["admin", "GET", "/api/admin/chart-data"],
  ["admin", "GET", "/api/admin/users"],
  ["admin", "GET", "/api/admin/courses"],
  ["admin", "GET", "/api/admin/purchases"],
  ["learner", "DELETE", "/api/community/posts/:postId"],
];

const named = (text: string): string => text.replace(/:[a-zA-Z]+Id/g, (name) => paths[name] ?? name);

test.each(requests)("as %s: %s %s", async (who, method, path, body) => {
  const commands = await commandsDuring(server, async () => {
    const options = { token: tokens[who], ...(body ? { body: JSON.parse(named(JSON.stringify(body))) } : {}) };
    expect((await server.call(method, named(path), options)).status).toBe(200);
  });
  const unlimited = commands
    .filter((command) => !exempt.includes(Object.keys(command)[0] ?? ""))
    .filter(({ maxTimeMS }) => !(maxTimeMS < givenUpMs));
  expect(unlimited.map((command) => Object.entries(command)[0])).toEqual([]);
});
