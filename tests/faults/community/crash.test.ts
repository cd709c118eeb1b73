import { Types } from "mongoose";
import { beforeEach, expect, test } from "vitest";
import { discrepancies } from "../../assertions/recount.js";
import { writePost, writeReply } from "../../factories/posts.js";
import { dieAfter, dieAtEveryWrite, requestBy } from "../../server/dying-instance.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

/* An instance that dies between any two of its writes, the commit being the last, leaves nothing half-done. */

const server = await startTestServer({ own: "recounts all rows" });
const db = server.deps.db;
let admin: SignedIn;
let author: SignedIn;
beforeEach(async () => {
  admin = await server.signedIn("admin");
});

const postPath = ({ _id }: { _id: string }) => `/api/community/posts/${_id}`;
const postShown = async (post: { _id: string }) => (await server.get(postPath(post))).body.post;
const upvote = (path: string) => server.post(`${path}/upvote`, {}, author.token);
/** A post of the author with a reply. */
async function answeredPost(fields: Record<string, unknown> = {}) {
  const post = await writePost(server, author, fields);
  const reply = await writeReply(server, author, post._id);
  return { post, reply, path: `${postPath(post)}/replies/${reply._id}` };
}
const newGroup = async () =>
  (await server.post("/api/community/groups", { name: `G ${new Types.ObjectId()}` }, author.token)).body.group;
const groupNamed = async (name: string) =>
  (await server.get("/api/community/groups")).body.groups.find((found: any) => found.name === name);

interface Request {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly token: string;
  readonly body?: object;
}
const asPost = (path: string, body: object = {}): Request => ({ method: "POST", path, token: author.token, body });

/** The same request, for an instance that dies. */
const sent = ({ method, path, token, body }: Request) => requestBy({ token }, method, path, body);

interface Scene {
  readonly request: Request;
  /** Whether it is done, in all that it does (true), or in nothing (false). */
  done(): Promise<boolean>;
}

/** Every one of these is the same: all are done, or none is. */
function agreed(parts: boolean[]): boolean {
  expect(new Set(parts).size, String(parts)).toBe(1);
  return parts[0] === true;
}

const scenes: Record<string, () => Promise<Scene>> = {
  async "an upvote"() {
    const post = await writePost(server, author);
    return { request: asPost(`${postPath(post)}/upvote`), done: async () => (await postShown(post)).upvoteCount === 1 };
  },
  async "taking an upvote of a reply back"() {
    const { post, path } = await answeredPost();
    await upvote(path);
    return {
      request: asPost(`${path}/upvote`),
      done: async () => (await postShown(post)).replies[0].upvoteCount === 0,
    };
  },
  async "creating a group"() {
    const fields = { name: `Group ${new Types.ObjectId()}`, description: "", icon: "x" };
    return {
      request: asPost("/api/community/groups", fields),
      done: async () => (await groupNamed(fields.name))?.memberCount === 1,
    };
  },
  async "joining a group"() {
    const group = await newGroup();
    const joiner = await server.signedIn();
    return {
      request: { ...asPost(`/api/community/groups/${group._id}/membership`), token: joiner.token },
      done: async () => (await groupNamed(group.name)).memberCount === 2,
    };
  },
  async "leaving a group"() {
    const group = await newGroup();
    return {
      request: asPost(`/api/community/groups/${group._id}/membership`, {}),
      done: async () => (await groupNamed(group.name)).memberCount === 0,
    };
  },
  async "a post in a group"() {
    const group = await newGroup();
    const fields = { title: "t", content: "c", tags: [], groupId: group._id };
    return {
      request: asPost("/api/community/posts", fields),
      done: async () => (await server.get(`/api/community/posts?groupId=${group._id}`)).body.total === 1,
    };
  },
  async "a post in no group"() {
    const fields = { title: `Lonely ${new Types.ObjectId()}`, content: "c", tags: [], groupId: "" };
    return {
      request: asPost("/api/community/posts", fields),
      done: async () => (await server.get(`/api/community/posts?q=${fields.title}`)).body.total === 1,
    };
  },
  async "a reply"() {
    const post = await writePost(server, author);
    return {
      request: asPost(`${postPath(post)}/replies`, { content: "x" }),
      done: async () => (await postShown(post)).replies.length === 1,
    };
  },
  async "accepting a reply"() {
    const { post, path } = await answeredPost();
    return {
      request: { method: "PATCH", path: `${path}/accept`, token: author.token },
      async done() {
        const { isResolved, replies } = await postShown(post);
        return agreed([isResolved, replies[0].isAcceptedAnswer]);
      },
    };
  },
  async "an administrator's removal of an accepted reply with votes"() {
    const { post, reply, path } = await answeredPost();
    await upvote(path);
    await server.patch(`${path}/accept`, {}, author.token);
    await server.post(`${path}/report`, { reason: "x" }, author.token);
    return {
      request: { method: "DELETE", path: `/api/admin/community/replies/${reply._id}`, token: admin.token },
      async done() {
        const { isResolved, replyCount, replies } = await postShown(post);
        return agreed([
          ...[replyCount === 0, replies.length === 0, !isResolved],
          (await db.Vote.countDocuments({ targetId: reply._id })) === 0,
          (await db.AuditEntry.countDocuments({ targetId: reply._id })) === 1,
          (await db.Report.countDocuments({ targetId: reply._id, state: "open" })) === 0,
        ]);
      },
    };
  },
  async "an administrator's removal of a post in a group with replies and votes"() {
    const group = await newGroup();
    const { post, path } = await answeredPost({ groupId: group._id });
    await upvote(postPath(post));
    await upvote(path);
    await server.post(`${postPath(post)}/report`, { reason: "x" }, author.token);
    return {
      request: { method: "DELETE", path: `/api/admin/community/posts/${post._id}`, token: admin.token },
      async done() {
        return agreed([
          (await server.get(postPath(post))).status === 404,
          (await db.Vote.countDocuments({ postId: post._id })) === 0,
          (await db.CommunityReply.countDocuments({ postId: post._id })) === 0,
          (await db.AuditEntry.countDocuments({ targetId: post._id })) === 1,
          (await db.Report.countDocuments({ postId: post._id, state: "open" })) === 0,
          (await groupNamed(group.name)).postCount === 0,
        ]);
      },
    };
  },
  async "resolving a report"() {
    const post = await writePost(server, author);
    await server.post(`${postPath(post)}/report`, { reason: "x" }, author.token);
    const { _id } = await db.Report.findOne({ targetId: post._id }).orFail();
    return {
      request: { ...asPost(`/api/admin/community/reports/${_id}/resolve`), token: admin.token },
      async done() {
        const { state } = await db.Report.findById(_id).orFail().lean();
        return agreed([state === "resolved", (await db.AuditEntry.countDocuments({ targetId: String(_id) })) === 1]);
      },
    };
  },
};

test.each(Object.entries(scenes))(
  "an instance that dies between any two writes of %s leaves nothing of it, and the request can be repeated",
  async (_n, scene) => {
    const deaths = await dieAtEveryWrite(server, async () => {
      author = await server.signedIn(); // a rate limit of its own for each round
      const { request, done } = await scene();
      return {
        request: sent(request),
        async check(died, writes) {
          expect(await discrepancies(server), `after ${writes} writes`).toEqual([]);
          expect(await done(), `after ${writes} writes`).toBe(!died);
          if (!died) return;
          const repeated = await server.call(request.method, request.path, request);
          expect(repeated.status, `repeated after ${writes} writes`).toBe(200);
          expect(await done(), `repeated after ${writes} writes`).toBe(true);
          expect(await discrepancies(server), `repeated after ${writes} writes`).toEqual([]);
        },
      };
    });
    expect(deaths).toBeGreaterThan(1);
  },
);

test("a post with a thousand replies and their votes is removed as a whole, or not at all", async () => {
  author = await server.signedIn();
  const post = await writePost(server, author);
  const written = { authorId: author.id, content: "x", postId: post._id, upvoteCount: 1 };
  const replies = await db.CommunityReply.insertMany(Array.from({ length: 1_000 }, () => written));
  await db.Vote.insertMany(replies.map(({ _id }, i) => ({ userId: `user_${i}`, targetId: _id, postId: post._id })));
  await db.CommunityPost.updateOne({ _id: post._id }, { replyCount: 1_000 });
  const request: Request = { method: "DELETE", path: postPath(post), token: author.token };
  const beforeTheCommit = 4;
  expect((await dieAfter(server, beforeTheCommit, sent(request))).died).toBe(true);
  expect(await discrepancies(server)).toEqual([]);
  expect((await postShown(post)).replies).toHaveLength(1_000);
  expect((await server.call(request.method, request.path, request)).status).toBe(200);
  expect(await db.CommunityReply.countDocuments({ postId: post._id })).toBe(0);
  expect(await db.Vote.countDocuments({ postId: post._id })).toBe(0);
  expect(await discrepancies(server)).toEqual([]);
});
