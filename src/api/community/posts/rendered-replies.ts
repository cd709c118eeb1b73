import { LRUCache } from "lru-cache";
import type { CommunityPost } from "../../../models/community/community-post.js";

/** One reply in the bytes of all. */
interface Part {
  readonly id: string;
  readonly authorId: string;
  readonly from: number;
  readonly to: number;
}

/** All replies to one version of a post as anyone sees them: JSON text, with commas in between. */
interface Rendered {
  readonly version: string;
  readonly bytes: Buffer;
  readonly parts: readonly Part[];
}

export interface RenderedReply extends Pick<Part, "id" | "authorId"> {
  /** JSON text, as a caller sees it who has neither written nor upvoted it. */
  readonly text: string;
}

/** What is read of a post before its replies: replies that are kept are those of this state of the post. */
type State = Pick<CommunityPost, "_id" | "acceptedReplyId" | "repliesVersion">;

/** Bytes that are kept of all posts together, and what is counted for each reply beside its text. */
const mostBytes = 33_554_432;
const bytesOfPart = 200;
/** For how long: an instance of an earlier version changes replies without telling, while it is replaced. */
const keptMs = 60_000;

/**
 * Replies to posts as this process has written them last. A change of a reply gives its post another version in the same
 * transaction, and each request reads the post first: so what is kept is what is stored.
 * @param read the replies of a post in the order in which they are shown.
 */
export function createRenderedReplies<P extends State>(read: (post: P) => AsyncIterable<RenderedReply[]>) {
  const kept = new LRUCache<string, Rendered>({
    ...{ maxSize: mostBytes, ttl: keptMs },
    sizeCalculation: ({ bytes, parts }) => bytes.length + 1 + bytesOfPart * parts.length,
  });
  const underway = new Map<string, Promise<Rendered>>();

  async function render(post: P, version: string): Promise<Rendered> {
    const parts: Part[] = [];
    const texts: string[] = [];
    let length = 0;
    for await (const replies of read(post)) {
      for (const { id, authorId, text } of replies) {
        const from = texts.length === 0 ? 0 : length + 1;
        length = from + Buffer.byteLength(text);
        parts.push({ id, authorId, from, to: length });
        texts.push(text);
      }
    }
    return { version, bytes: Buffer.from(texts.join(",")), parts };
  }

  /** Requests for the same version that arrive while it is read share the read. */
  async function rendered(post: P): Promise<Rendered> {
    const postId = String(post._id);
    const version = `${post.repliesVersion ?? ""} ${post.acceptedReplyId ?? ""}`;
    const known = kept.get(postId);
    if (known?.version === version) return known;
    const name = `${postId} ${version}`;
    const begun = underway.get(name);
    if (begun) return begun;
    const made = render(post, version);
    underway.set(name, made);
    try {
      kept.set(postId, await made);
      return await made;
    } finally {
      underway.delete(name);
    }
  }

  /** The replies as a caller sees them. @param upvoted ids of those that the caller has upvoted. */
  return async (post: P, viewerId: string | undefined, upvoted: ReadonlySet<string>): Promise<Buffer> => {
    const { bytes, parts } = await rendered(post);
    if (viewerId === undefined) return bytes;
    const pieces: Buffer[] = [];
    let from = 0;
    for (const part of parts) {
      const [isAuthor, isUpvoted] = [part.authorId === viewerId, upvoted.has(part.id)];
      if (!isAuthor && !isUpvoted) continue;
      let text = bytes.toString("utf8", part.from, part.to);
      // In no text of a reply: a quotation mark there is escaped.
      if (isAuthor) text = text.replace('"isAuthor":false', '"isAuthor":true');
      if (isUpvoted) text = text.replace('"isUpvoted":false', '"isUpvoted":true');
      pieces.push(bytes.subarray(from, part.from), Buffer.from(text));
      from = part.to;
    }
    return pieces.length === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(from)]);
  };
}
