/**
 * What lists of posts cost in CPU (server and embedded database in one process) among a hundred, ten and a hundred
 * times as many posts; three processes measured in turns. A page should cost the same, a text that is looked for costs
 * by all posts.
 *
 *     npx tsx bench/community-lists.ts
 */
import { cpuPerRequest, median, printTable, type Subject, startSubject } from "./support.js";

const sizes = [100, 1_000, 10_000] as const;
const rounds = 5;
const reader = "user_reader";

interface Place {
  readonly subject: Subject;
  readonly groupId: string;
  readonly headers: Record<string, string>;
}

const places: Place[] = [];
for (const posts of sizes) {
  const subject = await startSubject("bench/subjects/application.ts");
  const token = await subject.ask<string>("learner", reader);
  const [groupId = ""] = await subject.ask<string[]>("posts", { posts, groups: 3, memberId: reader });
  places.push({ subject, groupId, headers: { authorization: `Bearer ${token}` } });
}

const lists: [string, string, number][] = [
  ["newest", "limit=20", 100],
  ["trending", "limit=20&tab=trending", 100],
  ["oldest", "limit=20&sort=oldest", 100],
  ["one group", "limit=20&groupId=GROUP", 100],
  ["my three groups", "limit=20&tab=myGroups", 100],
  ["my three groups by upvotes", "limit=20&tab=myGroups&sort=upvotes", 100],
  ["newest, page 3", "limit=20&page=3", 100],
  ["a text in one post", "limit=20&q=post+number+42+of", 20],
];

const rows = [];
for (const [name, query, amount] of lists) {
  const used: number[][] = places.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, { subject, groupId, headers }] of places.entries()) {
      const path = `/api/community/posts?${query.replace("GROUP", groupId)}`;
      used[at]?.push(await cpuPerRequest(subject, { path, amount, connections: 4, headers }));
    }
  }
  const [once = 0, ten = 0, hundred = 0] = used.map(median);
  rows.push({
    list: name,
    "µs at 1×": once,
    "µs at 10×": ten,
    "µs at 100×": hundred,
    "10× : 1×": ten / once,
    "100× : 1×": hundred / once,
  });
}
printTable(`Lists among ${sizes.join(", ")} posts (CPU)`, rows);
await Promise.all(places.map(({ subject }) => subject.end()));
