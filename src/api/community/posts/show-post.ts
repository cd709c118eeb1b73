import type { mongo } from "mongoose";
import { readInOrder } from "../../../db/read-in-order.js";
import type { Deps } from "../../../deps.js";
import { compileWriter } from "../../../http/replies/compile-writer.js";
import { sendJson } from "../../../http/replies/send-text.js";
import { streamList } from "../../../http/replies/stream-body.js";
import { alreadySent, type RouteRequest } from "../../../http/route.js";
import type { CommunityPost } from "../../../models/community/community-post.js";
import { type CommunityReply, findReply } from "../../../models/community/community-reply.js";
import { votesOnPost } from "../../../services/community/votes.js";
import { ReplyView } from "../community-shapes.js";
import { viewPost, viewReplies } from "../views.js";
import { writePostView } from "./posts.schemas.js";
import { createRenderedReplies } from "./rendered-replies.js";

/** Replies that are read and held at a time. */
const repliesAtATime = 1_001;
/** Replies to a post with more are written as they are read; those to any other are kept as they were written last. */
const mostKept = 2_000;
/** What is shown of a reply. */
const writtenBy = { authorId: 1, authorName: 1, authorImage: 1 } as const;
const replyFields = { ...writtenBy, postId: 1, content: 1, upvoteCount: 1, createdAt: 1, editedAt: 1 } as const;

/** In lists of any length each item is written by itself. */
const writeReplyView = compileWriter(ReplyView);

type Asked = Pick<RouteRequest<unknown, unknown, unknown, "public">, "viewer" | "res" | "signal">;

/** Answers with a post and all its replies. Made once per server. */
export function createShowPost({ db }: Pick<Deps, "db">) {
  /** The accepted one first, then the others, oldest first. */
  async function* readReplies(post: CommunityPost): AsyncGenerator<CommunityReply[]> {
    const { _id: postId, acceptedReplyId } = post;
    const accepted = acceptedReplyId && (await findReply(db, { postId, replyId: acceptedReplyId }));
    if (accepted) yield [accepted];
    const sort = { createdAt: 1, _id: 1 } as const;
    // One more than there were a moment ago: then one query finds them all.
    const size = Math.min(post.replyCount + 1, repliesAtATime);
    const read = readInOrder<CommunityReply, CommunityReply>(db.CommunityReply, {
      ...{ filter: { postId }, fields: replyFields, sort, size },
    });
    for await (const batch of read) yield batch.filter(({ _id }) => !_id.equals(acceptedReplyId ?? ""));
  }

  async function* writeReplies(post: CommunityPost, viewerId: string | undefined) {
    for await (const replies of readReplies(post)) {
      const views = await viewReplies(db, replies, post, viewerId);
      yield views.map((view) => ({ id: String(view._id), authorId: view.authorId, text: writeReplyView(view) }));
    }
  }

  const rendered = createRenderedReplies((post: CommunityPost) => writeReplies(post, undefined));

  async function* textsOf(post: CommunityPost, viewerId: string | undefined) {
    for await (const replies of writeReplies(post, viewerId)) yield replies.map(({ text }) => text);
  }

  return async (post: CommunityPost, { viewer, res, signal }: Asked) => {
    const upvoted = post.replyCount > mostKept ? undefined : votesOnPost(db, viewer?.id, post._id);
    const votes = upvoted?.then((ids) => (postId: mongo.ObjectId) => ids.has(String(postId)));
    const view = writePostView(await viewPost(db, post, viewer?.id, votes));
    const [head, tail] = [`{"success":true,"post":${view.slice(0, -1)},"replies":[`, "]}}"];
    if (!upvoted) {
      return streamList(res, signal, { head, batches: textsOf(post, viewer?.id), tail: () => tail });
    }
    const replies = await rendered(post, viewer?.id, await upvoted);
    sendJson(res, Buffer.concat([Buffer.from(head), replies, Buffer.from(tail)]));
    return alreadySent;
  };
}
