import { writePost, writeReply } from "../../factories/posts.js";
import { after, examplesOf, must, newAdmin, newcomer, type Scene } from "./scene.js";

/** A post and a reply of a new user, who asks. */
async function written(scene: Scene) {
  const author = await newcomer(scene);
  const post = await writePost(scene.server, author);
  const reply = await writeReply(scene.server, author, post._id);
  return { token: author.token, postId: post._id as string, replyId: reply._id as string };
}

/** The same, for a moderator who asks. */
const moderated = async (scene: Scene) => ({ ...(await written(scene)), token: (await newAdmin(scene)).token });

async function reported(scene: Scene) {
  const { postId } = await written(scene);
  const reporter = await newcomer(scene);
  await must(scene.server.post(`/api/community/posts/${postId}/report`, { reason: "rude" }, reporter.token));
  const { token } = await newAdmin(scene);
  const { reports } = await must(scene.server.get("/api/admin/community/reports?limit=1", token));
  return { token, id: reports[0]._id as string };
}

const named = ({ id }: { id: string }) => ({ name: `Group ${id.slice(-20)}` });
const rude = () => ({ reason: "rude" });

export const community = examplesOf({
  "GET /api/community/groups": after(() => ({})),
  "POST /api/community/groups": after(newcomer, named),
  "DELETE /api/admin/groups/{id}": after(async (scene) => {
    const creator = await newcomer(scene);
    const { group } = await must(scene.server.post("/api/community/groups", named(creator), creator.token));
    return { id: group._id, token: (await newAdmin(scene)).token };
  }),
  "POST /api/community/groups/{groupId}/membership": after(newcomer, () => ({})),
  "GET /api/community/posts": after(({ learner }) => learner, undefined, "?limit=3&page=1"),
  "POST /api/community/posts": after(
    async (scene) => ({ ...(await newcomer(scene)), groupId: scene.groupId }),
    ({ groupId }) => ({ title: "When do you reach for a generic?", content: "I seldom know.", groupId }),
  ),
  "GET /api/community/posts/{postId}": after(({ learner }) => learner),
  "PATCH /api/community/posts/{postId}": after(written, () => ({ title: "Edited" })),
  "DELETE /api/community/posts/{postId}": after(written),
  "POST /api/community/posts/{postId}/upvote": after(written, () => ({})),
  "PATCH /api/community/posts/{postId}/resolve": after(written, () => ({})),
  "POST /api/community/posts/{postId}/report": after(written, rude),
  "POST /api/community/posts/{postId}/replies": after(written, () => ({ content: "Indeed." })),
  "PATCH /api/community/posts/{postId}/replies/{replyId}": after(written, () => ({ content: "Edited." })),
  "DELETE /api/community/posts/{postId}/replies/{replyId}": after(written),
  "POST /api/community/posts/{postId}/replies/{replyId}/upvote": after(written, () => ({})),
  "PATCH /api/community/posts/{postId}/replies/{replyId}/accept": after(written, () => ({})),
  "POST /api/community/posts/{postId}/replies/{replyId}/report": after(written, rude),
  "DELETE /api/admin/community/posts/{postId}": after(moderated),
  "DELETE /api/admin/community/replies/{replyId}": after(moderated),
  "GET /api/admin/community/reports": after(reported, undefined, "?limit=1"),
  "POST /api/admin/community/reports/{id}/resolve": after(reported, () => ({})),
});
