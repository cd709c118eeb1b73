import { writePost, writeReply } from "../../factories/posts.js";
import { type Examples, must, newAdmin, newcomer, type Scene } from "./scene.js";

/** A post and a reply of a new user. */
async function written(scene: Scene) {
  const author = await newcomer(scene);
  const post = await writePost(scene.server, author);
  const reply = await writeReply(scene.server, author, post._id);
  const path = `/api/community/posts/${post._id}`;
  return { token: author.token, path, postId: post._id as string, replyId: reply._id as string };
}

/** What is done to a post or a reply, by its author. */
const onPost = (end: string, body?: unknown) => async (scene: Scene) => {
  const { path, token } = await written(scene);
  return { path: `${path}${end}`, token, body };
};
const onReply = (end: string, body?: unknown) => async (scene: Scene) => {
  const { path, replyId, token } = await written(scene);
  return { path: `${path}/replies/${replyId}${end}`, token, body };
};

async function reported(scene: Scene) {
  const { path } = await written(scene);
  const reporter = await newcomer(scene);
  await must(scene.server.post(`${path}/report`, { reason: "rude" }, reporter.token));
  const { token } = await newAdmin(scene);
  const { reports } = await must(scene.server.get("/api/admin/community/reports?limit=1", token));
  return { token, reportId: reports[0]._id as string };
}

export const community: Examples = {
  "GET /api/community/groups": () => ({ path: "/api/community/groups" }),
  "POST /api/community/groups": async (scene) => {
    const { token, id } = await newcomer(scene);
    return { path: "/api/community/groups", body: { name: `Group ${id.slice(-20)}` }, token };
  },
  "DELETE /api/admin/groups/{id}": async (scene) => {
    const creator = await newcomer(scene);
    const name = `Group ${creator.id.slice(-20)}`;
    const { group } = await must(scene.server.post("/api/community/groups", { name }, creator.token));
    return { path: `/api/admin/groups/${group._id}`, token: (await newAdmin(scene)).token };
  },
  "POST /api/community/groups/{groupId}/membership": async (scene) => {
    const { token } = await newcomer(scene);
    return { path: `/api/community/groups/${scene.groupId}/membership`, body: {}, token };
  },
  "GET /api/community/posts": ({ learner }) => ({ path: "/api/community/posts?limit=3&page=1", token: learner.token }),
  "POST /api/community/posts": async (scene) => {
    const { token } = await newcomer(scene);
    return {
      path: "/api/community/posts",
      body: { title: "When do you reach for a generic?", content: "I seldom know.", groupId: scene.groupId },
      token,
    };
  },
  "GET /api/community/posts/{postId}": ({ learner, postId }) => ({
    ...{ path: `/api/community/posts/${postId}`, token: learner.token },
  }),
  "PATCH /api/community/posts/{postId}": onPost("", { title: "Edited" }),
  "DELETE /api/community/posts/{postId}": onPost(""),
  "POST /api/community/posts/{postId}/upvote": onPost("/upvote", {}),
  "PATCH /api/community/posts/{postId}/resolve": onPost("/resolve", {}),
  "POST /api/community/posts/{postId}/report": onPost("/report", { reason: "rude" }),
  "POST /api/community/posts/{postId}/replies": onPost("/replies", { content: "Indeed." }),
  "PATCH /api/community/posts/{postId}/replies/{replyId}": onReply("", { content: "Edited." }),
  "DELETE /api/community/posts/{postId}/replies/{replyId}": onReply(""),
  "POST /api/community/posts/{postId}/replies/{replyId}/upvote": onReply("/upvote", {}),
  "PATCH /api/community/posts/{postId}/replies/{replyId}/accept": onReply("/accept", {}),
  "POST /api/community/posts/{postId}/replies/{replyId}/report": onReply("/report", { reason: "rude" }),
  "DELETE /api/admin/community/posts/{postId}": async (scene) => {
    const { postId } = await written(scene);
    return { path: `/api/admin/community/posts/${postId}`, token: (await newAdmin(scene)).token };
  },
  "DELETE /api/admin/community/replies/{replyId}": async (scene) => {
    const { replyId } = await written(scene);
    return { path: `/api/admin/community/replies/${replyId}`, token: (await newAdmin(scene)).token };
  },
  "GET /api/admin/community/reports": async (scene) => {
    const { token } = await reported(scene);
    return { path: "/api/admin/community/reports?limit=1", token };
  },
  "POST /api/admin/community/reports/{id}/resolve": async (scene) => {
    const { token, reportId } = await reported(scene);
    return { path: `/api/admin/community/reports/${reportId}/resolve`, body: {}, token };
  },
};
