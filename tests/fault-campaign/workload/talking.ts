import { isDone } from "./learning.js";
import type { Learner } from "./scene.js";

const longestList = 40;

export async function post({ scene, client }: Learner): Promise<void> {
  const written = await client.ask("POST", "/api/community/posts", { title: "A question", content: "Why is that so?" });
  if (written?.status !== 200) return;
  scene.journal.posts.push({ id: written.body.post._id });
  if (scene.posts.length < longestList) scene.posts.push(written.body.post._id);
}

export async function reply(learner: Learner): Promise<void> {
  const { scene, client } = learner;
  const postId = postFor(learner, scene.journal.replies.length);
  const written = await client.ask("POST", `/api/community/posts/${postId}/replies`, { content: "Because of that." });
  if (written?.status === 200) scene.journal.replies.push({ id: written.body.reply._id });
}

export async function vote(learner: Learner, times: number): Promise<void> {
  const { scene, client, id } = learner;
  for (let n = 0; n < times; n += 1) {
    const postId = postFor(learner, n % 2);
    const answer = await client.ask("POST", `/api/community/posts/${postId}/upvote`, {});
    const done = isDone(answer);
    if (done !== false) scene.journal.set("vote", `${id} ${postId}`, answer?.body?.isUpvoted, done === true);
  }
}

export async function join({ scene, client, id }: Learner): Promise<void> {
  const answer = await client.ask("POST", `/api/community/groups/${scene.groupId}/membership`, {});
  const done = isDone(answer);
  if (done !== false) scene.journal.set("membership", `${id} ${scene.groupId}`, answer?.body?.isMember, done === true);
}

const postFor = ({ scene }: Learner, n: number): string => scene.posts[n % scene.posts.length] ?? "";
