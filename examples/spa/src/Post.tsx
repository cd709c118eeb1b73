import { type CommunityReply, getPost } from "@lyceum/client";
import { useAnswer } from "./load.js";
import { Pending, shownDate, Title } from "./parts.js";

/** Shows a post of the community, to which notices lead. */
export function Post({ id }: { id: string }) {
  const { data, error } = useAnswer(() => getPost({ path: { postId: id } }), id);
  if (!data) return <Pending error={error} />;
  const { post } = data;
  return (
    <article className="narrow">
      <Title>{post.title}</Title>
      <Written by={post} />
      <h2>Replies</h2>
      {post.replies.length === 0 && <p className="soft">Nobody has replied yet.</p>}
      <ul className="card lines">
        {post.replies.map((reply) => (
          <li key={reply._id}>
            {reply.isAcceptedAnswer && <span className="badge completed">Accepted answer</span>}
            <Written by={reply} />
          </li>
        ))}
      </ul>
    </article>
  );
}

const Written = ({ by }: { by: Pick<CommunityReply, "authorName" | "authorImage" | "createdAt" | "content"> }) => (
  <>
    <p className="row">
      <span className="by">
        {by.authorImage && <img src={by.authorImage} alt="" />} <strong>{by.authorName}</strong>
      </span>
      <span className="soft">{shownDate(by.createdAt)}</span>
    </p>
    <p className="said">{by.content}</p>
  </>
);
