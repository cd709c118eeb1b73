import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { Types } from "mongoose";
import { changeCatalog } from "../../tests/factories/catalog.js";
import { buildChapters } from "../../tests/factories/course-content.js";
import { type Finding, same, within } from "./findings.js";
import type { BenchUser, Target } from "./target.js";
import { longestBlock, timed } from "./watch.js";

/** Published courses, in which a learner is enrolled when one is named. */
export async function addCourses(
  { db }: Target,
  fields: readonly object[],
  learner?: BenchUser,
): Promise<Types.ObjectId[]> {
  const courses = fields.map((own, n) => ({
    _id: new Types.ObjectId(),
    ...{ courseTitle: `Course ${n}`, courseDescription: "x", courseThumbnail: "https://img.example/a.png" },
    ...{ coursePrice: 999, discount: 0, isPublished: true, educatorId: "user_educator", totalLectures: 2 },
    courseContent: buildChapters(1, 2),
    ...own,
  }));
  await changeCatalog(db, () => db.Course.insertMany(courses));
  const ids = courses.map(({ _id }) => _id);
  if (learner) {
    const enrollment = { userId: learner.id, active: true, enrolledAt: new Date(), purchases: 1 };
    await db.Enrollment.insertMany(ids.map((courseId) => ({ ...enrollment, courseId })));
  }
  return ids;
}

/** Texts for which a careless pattern takes time in proportion to the square of their length. */
const worstTexts: readonly (readonly [string, string])[] = [
  ["line breaks", `a${"\n".repeat(19_990)}b`],
  ["spaces", `a${" ".repeat(19_990)}b`],
  ["open brackets", "[".repeat(20_000)],
  ["links without an end", "[a](".repeat(5_000)],
  ["open tags", "<a".repeat(10_000)],
  ["fences", "```\n".repeat(5_000)],
  ["emphasis", "*a_".repeat(6_600)],
  ["number signs", `${"#".repeat(19_990)}\n`],
];

export async function quadraticTexts(target: Target): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, courseDescription] of worstTexts) {
    const learner = await target.user();
    await addCourses(
      target,
      Array.from({ length: 5 }, () => ({ courseDescription })),
      learner,
    );
    const roadmap = await longestBlock(target, () =>
      target.call("POST", "/api/user/generate-personal-roadmap", { token: learner.token, body: {} }),
    );
    findings.push(within(`five courses of ${name}: roadmap, event loop blocked`, roadmap, 100, "ms"));
    const chat = await longestBlock(target, () =>
      target.call("POST", "/api/user/ai-chat", { token: learner.token, body: { content: "What next?" } }),
    );
    findings.push(within(`five courses of ${name}: tutor, event loop blocked`, chat, 100, "ms"));
  }
  return findings;
}

/** Curricula as large as the API takes: a megabyte of long titles, or of many lectures. */
const curricula = [
  { chapters: 100, lectures: 30, title: 190 },
  { chapters: 100, lectures: 85, title: 10 },
];

export async function largeCourses(target: Target): Promise<Finding[]> {
  const words = "what do chapter and lecture one two three four say of types ";
  const findings: Finding[] = [];
  for (const { chapters, lectures, title } of curricula) {
    const learner = await target.user();
    const courseContent = buildChapters(chapters, lectures);
    for (const { chapterContent } of courseContent) {
      for (const [n, lecture] of chapterContent.entries())
        lecture.lectureTitle = `${n} ${words.repeat(4)}`.slice(0, title);
    }
    const courseDescription = words.repeat(350).slice(0, 20_000);
    const courses = Array.from({ length: 40 }, () => ({ courseContent, courseDescription }));
    await addCourses(target, courses, learner);
    const content = words.repeat(100).slice(0, 4_000);
    for (const turn of ["first", "second"]) {
      let reply = { status: 0 };
      const blocked = await longestBlock(target, async () => {
        reply = await target.call("POST", "/api/user/ai-chat", { token: learner.token, body: { content } });
      });
      const attack = `4,000 characters asked over 40 courses of ${chapters * lectures} lectures, ${turn} time: event loop blocked`;
      findings.push(within(attack, blocked, 100, "ms", `answered ${reply.status}`));
    }
  }
  return findings;
}

export async function searchFlood(target: Target): Promise<Finding[]> {
  const content = "Some words about types and what they are good for. ".repeat(60);
  const post = { authorId: "user_a", authorName: "A", title: "Types", content, tags: [], groupId: null };
  for (let n = 0; n < 20_000; n += 2_000) {
    await target.db.CommunityPost.insertMany(
      Array.from({ length: 2_000 }, () => ({ ...post })),
      { lean: true },
    );
  }
  await target.db.UngroupedPosts.updateOne({}, { $inc: { postCount: 20_000 } }, { upsert: true });
  const path = `${target.url}/api/community/posts?limit=10&q=`;
  const alone = await timed(() => fetch(`${path}nowhere`).then((reply) => reply.text()));
  const statuses = new Map<number, number>();
  const flood = new AbortController();
  const asked = Array.from({ length: 200 }, (_, n) =>
    fetch(`${path}nowhere${n}`, { signal: flood.signal }).then(
      ({ status }) => statuses.set(status, (statuses.get(status) ?? 0) + 1),
      () => undefined,
    ),
  );
  await sleep(1_000);
  flood.abort();
  await Promise.all(asked);
  let status = 0;
  const next = await timed(async () => {
    status = (await fetch(`${path}elsewhere`)).status;
  });
  let plain = 0;
  const other = await timed(async () => {
    plain = (await target.call("GET", "/api/community/groups")).status;
  });
  const during = [...statuses].map(([code, count]) => `${count} × ${code}`).join(", ");
  const more = `answered ${status}; one search alone ${alone.toFixed(0)} ms; during the flood ${during || "nothing answered"}`;
  return [
    within("200 abandoned searches over 60 MB of posts: the next search waits", next, 5_000, "ms", more),
    within("the same: another page waits", other, 500, "ms", `answered ${plain}`),
  ];
}

export async function manyLabels(target: Target, count: number): Promise<Finding[]> {
  const learner = await target.user();
  let n = 0;
  const headers = { authorization: `Bearer ${learner.token}`, "content-type": "application/json" };
  const requests: autocannon.Request[] = [
    {
      method: "POST",
      path: "/api/user/track-time",
      setupRequest: (request) => ({
        ...request,
        body: JSON.stringify({ page: `Label ${n++} ${"x".repeat(80)}`, path: "/x", duration: 1 }),
      }),
    },
  ];
  const sent = await autocannon({ url: target.url, amount: count, connections: 16, headers, requests, timeout: 30 });
  let bytes = 0;
  const took = await timed(async () => {
    const reply = await fetch(`${target.url}/api/user/analytics`, { headers });
    bytes = (await reply.text()).length;
  });
  const rows = await target.db.PageTime.countDocuments({ userId: learner.id });
  const attack = `${count.toLocaleString("en")} new labels of one learner`;
  const rate = `${sent["2xx"]} taken, ${Math.round(sent.requests.average)} a second`;
  return [
    within(`${attack}: rows`, rows, 101, "rows", rate),
    within(`${attack}: analytics`, bytes, 50_000, "bytes", `${took.toFixed(0)} ms`),
  ];
}

/** Reads of the catalog while one learner rates in a loop and an educator changes a course every second. */
export async function busyCatalog(target: Target): Promise<Finding[]> {
  const [learner, educator] = [await target.user(), await target.user("educator")];
  const courseDescription = "What this course teaches, in a paragraph or two. ".repeat(200);
  const fields = { courseDescription, educatorId: educator.id, version: 1 };
  const [courseId] = await addCourses(
    target,
    Array.from({ length: 500 }, () => fields),
    learner,
  );
  const tags = new Set<string | null>();
  const reads = async (ms: number): Promise<number[]> => {
    const times: number[] = [];
    for (const end = performance.now() + ms; performance.now() < end; await sleep(50)) {
      times.push(
        await timed(async () => {
          const reply = await fetch(`${target.url}/api/course/all`, { headers: { "accept-encoding": "identity" } });
          tags.add(reply.headers.get("etag"));
          await reply.arrayBuffer();
        }),
      );
    }
    return times.sort((a, b) => a - b);
  };
  const middle = (times: number[]) => times[Math.floor(times.length / 2)] ?? 0;
  await reads(2_000);
  const quiet = middle(await reads(4_000));
  tags.clear();
  let [running, rated, version] = [true, 0, 1];
  const rate = async () => {
    while (running) {
      const body = { courseId: String(courseId), rating: 1 + (rated % 5) };
      const { status } = await target.call("POST", "/api/user/add-rating", { token: learner.token, body });
      if (status === 200) rated += 1;
      // A learner has 600 writes in ten minutes.
      await sleep(20);
    }
  };
  const edit = async () => {
    while (running) {
      const body = { version, courseTitle: `Title ${version}` };
      const path = `/api/educator/courses/${courseId}`;
      const { status } = await target.call("PATCH", path, { token: educator.token, body });
      if (status === 200) version += 1;
      await sleep(1_000);
    }
  };
  const writers = [rate(), edit()];
  const seconds = 10;
  const busy = await reads(seconds * 1_000);
  running = false;
  await Promise.all(writers);
  const writes = `${rated} ratings and ${version - 1} changes; slowest ${busy.at(-1)?.toFixed(0)} ms`;
  const attack = "catalog of 500 courses (5 MB) while a learner rates in a loop and a course changes";
  return [
    within(`${attack}: median read`, middle(busy), 250, "ms", `${quiet.toFixed(0)} ms without writes; ${writes}`),
    within(`the same: versions built in ${seconds} s, a change each second included`, tags.size, 25, "versions"),
  ];
}

export async function unknownKeys(target: Target, token: (kid: string) => string): Promise<Finding[]> {
  const fetches = () => target.identity.calls.filter((call) => call.includes("/jwks")).length;
  await target.call("GET", "/api/user/data", { token: token("warm") });
  const before = fetches();
  const ask = (n: number) => target.call("GET", "/api/user/data", { token: token(`random-${n}`) });
  const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => ask(n)));
  for (let n = 50; n < 100; n += 1) replies.push(await ask(n));
  const statuses = new Set(replies.map(({ status }) => status));
  return [
    within("100 tokens with random key ids: calls of the provider", fetches() - before, 4, "calls"),
    same("the same: answered", [...statuses], [401]),
  ];
}
