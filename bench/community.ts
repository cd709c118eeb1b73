/**
 * What community requests cost in CPU (server and embedded database in one process) with a hundred times the replies
 * per post, votes per reply and members per group, measured in turns; and what a list costs for each thing in it.
 *
 *     npx tsx bench/community.ts
 */
import type { Scene } from "./scenes/community.js";
import { median, printTable, type Subject, startSubject } from "./support.js";

const sizes = { small: 10, large: 1_000 } as const;
const rounds = 5;
const posts = 8;
/** Requests per round; replies are spread over all posts, so that the small ones stay small. */
const amount = 120;
/** Each may write twenty posts or replies. */
const people = rounds * (amount / 20) * 2 + 10;

const application: Subject = await startSubject("bench/subjects/application.ts");
const tokens: string[] = [];
for (let i = 0; i < people; i++) tokens.push(await application.ask<string>("learner", `user_bench_${i}`));
const author = { authorId: "user_bench_0", posts };
const scenes = {
  small: await application.ask<Scene>("community", { ...author, size: sizes.small }),
  large: await application.ask<Scene>("community", { ...author, size: sizes.large }),
};

interface Call {
  readonly path: string;
  readonly method: "GET" | "POST" | "PATCH";
  readonly token: string;
  readonly body?: object;
}

/** Microseconds of CPU per call, five at a time. @throws when an answer is not 200. */
async function cost(calls: readonly Call[]): Promise<number> {
  const before = await application.cpu();
  const waiting = [...calls];
  const worker = async () => {
    for (let call = waiting.pop(); call; call = waiting.pop()) {
      const { path, method, token, body } = call;
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const init = body ? { method, headers, body: JSON.stringify(body) } : { method, headers };
      const answer = await fetch(`${application.url}/api/community${path}`, init);
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: 5 }, worker));
  return ((await application.cpu()) - before) / calls.length;
}

let written = 0;
/** The next user who may still write a reply. */
const writer = () => tokens[Math.floor(written++ / 20)] ?? "";
const person = (i: number) => tokens[i % 20] ?? "";
const [owner = ""] = tokens;

type Work = (scene: Scene, i: number) => Call;
const at = ({ posts }: Scene, i: number) => posts[i % posts.length] ?? { postId: "", replyId: "" };
const works: Record<string, Work> = {
  "POST reply upvote (toggles)": (scene, i) => {
    const { postId, replyId } = at(scene, i);
    return { method: "POST", path: `/posts/${postId}/replies/${replyId}/upvote`, token: person(i) };
  },
  "POST post upvote (toggles)": (scene, i) => {
    return { method: "POST", path: `/posts/${at(scene, i).postId}/upvote`, token: person(i) };
  },
  "POST reply": (scene, i) => {
    const body = { content: "What I think." };
    return { method: "POST", path: `/posts/${at(scene, i).postId}/replies`, token: writer(), body };
  },
  "PATCH accept (toggles)": (scene, i) => {
    const { postId, replyId } = at(scene, i);
    return { method: "PATCH", path: `/posts/${postId}/replies/${replyId}/accept`, token: owner };
  },
  "POST membership (toggles)": ({ groupId }, i) => {
    return { method: "POST", path: `/groups/${groupId}/membership`, token: person(i) };
  },
};

const calls = (work: Work, scene: Scene, count = amount) => Array.from({ length: count }, (_, i) => work(scene, i));
const rows = [];
for (const [name, work] of Object.entries(works)) {
  const used: Record<keyof typeof sizes, number[]> = { small: [], large: [] };
  for (let round = 0; round < rounds; round++) {
    for (const size of ["small", "large"] as const) used[size].push(await cost(calls(work, scenes[size])));
  }
  const [small, large] = [median(used.small), median(used.large)];
  rows.push({ request: name, "µs at 1×": small, "µs at 100×": large, ratio: large / small });
}
printTable(`Community writes at ${sizes.small} and at ${sizes.large} replies, votes and members (CPU)`, rows);

/** Where the fixed cost of a request no longer hides what one more reply costs. */
const lengths = [250, 500, 1_000, 2_000];
const growth = [];
for (const length of lengths) {
  const { posts: one } = await application.ask<Scene>("community", { ...author, posts: 1, size: length });
  const read: Work = () => ({ method: "GET", path: `/posts/${one[0]?.postId}`, token: owner });
  const used: number[] = [];
  for (let round = 0; round < rounds; round++)
    used.push(await cost(Array.from({ length: 10 }, () => read(scenes.small, 0))));
  growth.push({ replies: length, "µs/request": median(used), "µs/reply": median(used) / length });
}
printTable("GET a post with its replies: linear in their number (CPU)", growth);
await application.end();
