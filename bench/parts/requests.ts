import { get, type IncomingHttpHeaders } from "node:http";
import { perRequest, type Taken } from "../measure/cpu.js";
import { inTurns, median, spread } from "../measure/figures.js";
import type { Context, Part, Row } from "../part.js";
import { type Build, startBuilds } from "../processes/builds.js";
import { type Subject, startSubject } from "../processes/subject.js";
import { fillCommunity, fillLists } from "../scenes/community.js";
import { addUsers, enrollIn, fillCatalog, learnerId } from "../scenes/plain-catalog.js";
import type { Served } from "../subjects/raw-http.js";

/** What is asked of each build; ids differ between them. */
interface Hot {
  readonly name: string;
  path(build: Build): string;
  readonly headers?: Record<string, string>;
  /** Each connection is another learner. */
  readonly ofLearners?: boolean;
  /** Requests of one round. */
  readonly amount: number;
  /** CPU that was aimed at, in times of node:http. */
  readonly goal?: number;
}

/** Rounds before those that count: V8 compiles what is sent often. */
const warmUpRounds = 3;

/** One for each connection. */
const learnerIds = [learnerId, ...Array.from({ length: 15 }, (_, i) => `user_learner_${i}`)];

/** CPU and time of the requests that are sent most, beside the least that Node.js needs for the same bytes. */
export const requests: Part = {
  about: "hot requests beside raw node:http and Fastify that send the same bytes",
  async run(context) {
    const builds = await startBuilds(context);
    const marks = {
      raw: await startSubject("bench/subjects/raw-http.ts"),
      fastify: await startSubject("bench/subjects/fastify.ts"),
    };
    const rows: Row[] = [];
    const times: Row[] = [];
    const alone: Row[] = [];
    try {
      const courses = new Map<Build, string>();
      const posts = new Map<Build, string>();
      for (const build of builds.all) {
        const courseIds = await fillCatalog(build.connection, 20);
        courses.set(build, courseIds[0] ?? "");
        await addUsers(build.connection, learnerIds.slice(1));
        await enrollIn(build.connection, learnerIds.slice(1), courseIds.slice(0, 5));
        await fillLists(build.db, { posts: 500, groups: 4, memberId: learnerId });
        const { posts: made } = await fillCommunity(build.db, { authorId: learnerId, size: 1_000, posts: 1 });
        posts.set(build, made[0]?.postId ?? "");
      }
      const signed = learnerIds.map((id) => builds.signedAs(id));
      const brotli = { "accept-encoding": "br" };
      const catalog = () => "/api/course/all";
      const few: Hot[] = [
        { name: "GET /", path: () => "/", amount: 2_000, goal: 3 },
        { name: "catalog of 20, brotli", path: catalog, headers: brotli, amount: 1_000, goal: 10 },
        { name: "catalog of 20, not compressed", path: catalog, amount: 500 },
        { name: "course", path: (build) => `/api/course/${courses.get(build)}`, amount: 500, goal: 10 },
        { name: "own data, known token", path: () => "/api/user/data", ofLearners: true, amount: 500, goal: 10 },
        { name: "own courses", path: () => "/api/user/enrolled-courses", ofLearners: true, amount: 300, goal: 14 },
        { name: "posts, first 20", path: () => "/api/community/posts?limit=20&page=1", amount: 250 },
        {
          ...{ name: "post with 1,000 replies", path: (build) => `/api/community/posts/${posts.get(build)}` },
          amount: 30,
        },
      ];
      const grown: Hot = { ...(few[1] as Hot), name: "catalog of 500, brotli" };
      for (const hot of few) await measureHot(hot);
      for (const { connection } of builds.all) await fillCatalog(connection, 480, 20);
      await measureHot(grown);

      async function measureHot(hot: Hot): Promise<void> {
        context.progress(hot.name);
        const taken = await compare(hot, builds.all, hot.ofLearners ? signed : [{}], marks, context);
        const all = (kind: keyof Taken, name: string) => (taken[name] ?? []).map((one) => one[kind]);
        const [raw, ours, beside] = ["raw", "this", "beside"].map((name) => median(all("cpu", name)));
        const fastify = median(all("cpu", "fastify"));
        rows.push({
          ...{ request: hot.name, "raw µs": raw ?? 0, "Fastify µs": fastify, "this µs": ours ?? 0 },
          ...{ spread: spread(all("cpu", "this")), "this : raw": (ours ?? 0) / (raw ?? 1) },
          "goal ≤": hot.goal ?? "–",
          "this : Fastify": (ours ?? 0) / fastify,
          ...(beside ? { "beside µs": beside, "this : beside": (ours ?? 0) / beside } : {}),
        });
        const perSecond = (name: string) => 1_000_000 / median(all("wall", name));
        times.push({
          ...{ request: hot.name, raw: perSecond("raw"), Fastify: perSecond("fastify"), this: perSecond("this") },
          ...(beside ? { beside: perSecond("beside") } : {}),
        });
        const one = (kind: keyof Taken, name: string) => median((taken[`${name} alone`] ?? []).map((of) => of[kind]));
        alone.push({
          ...{ request: hot.name, "raw µs": one("cpu", "raw"), "this µs": one("cpu", "this") },
          ...{ "raw ms": one("wall", "raw") / 1_000, "this ms": one("wall", "this") / 1_000 },
          ...(beside && {
            ...{ "beside µs": one("cpu", "beside"), "beside ms": one("wall", "beside") / 1_000 },
            "this : beside": one("cpu", "this") / one("cpu", "beside"),
          }),
        });
      }
    } finally {
      for (const mark of Object.values(marks)) await mark.end();
      await builds.end();
    }
    return [
      {
        title: "CPU of the server's process for one request, 16 connections",
        note: "`raw` is node:http and `Fastify` is Fastify without plug-ins, both with the bytes and headers of this build's answer and nothing else to do. Own data and courses are of another learner on each connection. Three rounds that do not count come first. The database is another process.",
        rows,
      },
      { title: "Requests a second, 16 connections", note: "Wall clock of the same rounds.", rows: times },
      {
        title: "One reader alone: CPU and time of one request",
        note: "One connection, each request after the answer to the one before, in turns with the rounds above. The time includes the client's.",
        rows: alone,
      },
    ];
  },
};

async function compare(
  hot: Hot,
  all: readonly Build[],
  ofConnections: readonly Record<string, string>[],
  marks: Record<string, Subject>,
  context: Context,
) {
  const headers = { ...hot.headers, ...ofConnections[0] };
  const served = new Map<string, Served>();
  for (const build of all) served.set(build.name, await capture(build.url + hot.path(build), headers));
  for (const mark of Object.values(marks)) await mark.ask("serve", served.get("this"));
  const amount = Math.round(hot.amount * (context.quick ? 0.1 : 1));
  const load = { amount, headers, ofConnections };
  const lonely = { ...load, amount: Math.max(Math.round(amount / 4), 10), connections: 1 };
  const measures: Record<string, () => Promise<Taken>> = {};
  const measure = (name: string, subject: Subject | Build, path: string): void => {
    measures[name] = () => perRequest(subject, { path, ...load });
    if (name !== "fastify") measures[`${name} alone`] = () => perRequest(subject, { path, ...lonely });
  };
  for (const [name, mark] of Object.entries(marks)) measure(name, mark, "/");
  for (const build of all) measure(build.name, build, hot.path(build));
  if (!context.quick) await inTurns(warmUpRounds, measures);
  return inTurns(context.rounds, measures);
}

/** What goes over the wire. */
function capture(url: string, headers: Record<string, string>): Promise<Served> {
  return new Promise((done, reject) => {
    get(url, { headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("end", () => done({ base64: Buffer.concat(chunks).toString("base64"), headers: lasting(res.headers) }));
    }).on("error", reject);
  });
}

const ofOneAnswer = new Set(["content-length", "connection", "date", "keep-alive", "transfer-encoding"]);
const lasting = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (ofOneAnswer.has(name) ? [] : [[name, String(value)]])),
  );
