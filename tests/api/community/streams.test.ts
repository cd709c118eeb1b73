import { Types } from "mongoose";
import { beforeAll, expect, test } from "vitest";
import { batchRows } from "../../../src/lib/read-batches.js";
import { commandsDuring } from "../../assertions/commands.js";
import { recountPosts, writePost } from "../../factories/posts.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

/* Lists of any length: the same body as ever, read and written in batches. */

const server = await startTestServer({ own: "lists all posts and groups" });
const { db } = server.deps;
const many = 1_203;
/** Most rows of one read: longer batches outlive V8's young generation. */
const atATime = 200;
let author: SignedIn;
let groupId: Types.ObjectId;

beforeAll(async () => {
  author = await server.signedIn();
  groupId = (await db.CommunityGroup.findOne({ slug: "web-development" }).orFail().lean())._id;
  await db.CommunityPost.insertMany(
    Array.from({ length: many }, (_, n) => ({
      ...{ authorId: author.id, authorName: "Asha", title: `Post ${n}`, content: 'say "hi"\n', tags: ["a", "ü"] },
      ...{ groupId: n % 2 === 0 ? groupId : null, upvoteCount: n % 3, createdAt: new Date(1_000 * (n % 400)) },
      ...(n % 5 === 0 ? { editedAt: new Date(5_000_000) } : {}),
    })),
  );
  await recountPosts(server);
});

const idsOf = (rows: readonly { _id: unknown }[]) => rows.map(({ _id }) => String(_id));

test.each([
  ["", { createdAt: -1, _id: -1 }],
  ["?sort=oldest", { createdAt: 1, _id: 1 }],
  ["?tab=trending", { upvoteCount: -1, createdAt: -1, _id: -1 }],
  ["?q=say", { createdAt: -1, _id: -1 }],
  ["?groupId=GROUP", { createdAt: -1, _id: -1 }],
] as const)("all posts%s come in order, each once, in reads of a bounded size", async (query, order) => {
  const filter = query.includes("GROUP") ? { groupId } : {};
  const expected = idsOf(await db.CommunityPost.find(filter, { _id: 1 }).sort(order).lean());
  let answer: any;
  const commands = await commandsDuring(server, async () => {
    answer = await server.get(`/api/community/posts${query.replace("GROUP", String(groupId))}`, author.token);
  });
  expect(answer.status).toBe(200);
  expect(idsOf(answer.body.posts)).toEqual(expected);
  expect(answer.body).toMatchObject({ success: true, hasMore: false, total: expected.length });
  const reads = commands.filter(({ find, getMore }) => find === "communityposts" || getMore);
  expect(reads.length).toBeGreaterThan(2);
  for (const { batchSize } of reads) expect(batchSize).toBeLessThanOrEqual(atATime);
  for (const { filter } of commands) expect(filter?.targetId?.$in?.length ?? 0).toBeLessThanOrEqual(atATime);
});

test("all groups come in order, each once, in reads of a bounded size", async () => {
  const groups = Array.from({ length: 450 }, (_, n) => ({
    ...{ name: `Group ${n}`, nameKey: `group ${n}`, slug: `group-${n}`, icon: "x", description: "What it is about." },
    ...{ createdBy: author.id, memberCount: n % 7 },
  }));
  const inserted = await db.CommunityGroup.insertMany(groups);
  const order = { isOfficial: -1, memberCount: -1, name: 1 } as const;
  const expected = idsOf(await db.CommunityGroup.find({}, { _id: 1 }).sort(order).lean());
  let answer: any;
  const commands = await commandsDuring(server, async () => {
    answer = await server.get("/api/community/groups", author.token);
  });
  expect(idsOf(answer.body.groups)).toEqual(expected);
  const reads = commands.filter(({ find }) => find === "communitygroups");
  for (const { limit } of reads) expect(limit).toBeLessThanOrEqual(batchRows);
  await db.CommunityGroup.deleteMany({ _id: { $in: inserted.map(({ _id }) => _id) } });
});

test("the many replies of a post come oldest first, the accepted one ahead, in one read", async () => {
  const post = await writePost(server, author);
  const postId = new Types.ObjectId(post._id as string);
  const replies = await db.CommunityReply.insertMany(
    Array.from({ length: many }, (_, n) => ({
      ...{ postId, authorId: author.id, content: `${n}`, secret: "s", createdAt: new Date(1_000 * Math.floor(n / 7)) },
    })),
  );
  const accepted = replies[777];
  await db.CommunityPost.updateOne({ _id: postId }, { acceptedReplyId: accepted?._id, replyCount: many });
  const others = idsOf(await db.CommunityReply.find({ postId }).sort({ createdAt: 1, _id: 1 }).lean());
  let answer: any;
  const commands = await commandsDuring(server, async () => {
    answer = await server.get(`/api/community/posts/${post._id}`, author.token);
  });
  const acceptedId = String(accepted?._id);
  expect(idsOf(answer.body.post.replies)).toEqual([acceptedId, ...others.filter((id) => id !== acceptedId)]);
  expect(answer.body.post.replies.map((r: any) => r.isAcceptedAnswer).indexOf(true, 1)).toBe(-1);
  expect(commands.filter(({ find, getMore }) => find === "communityreplies" || getMore)).toHaveLength(1);
});
