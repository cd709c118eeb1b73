import type { Call } from "../measure/drive.js";
import { allServed, drive } from "../measure/drive.js";
import { inTurns, median, spread } from "../measure/figures.js";
import type { Part, Row } from "../part.js";
import { type Build, type Builds, startBuilds } from "../processes/builds.js";
import { outline } from "../scenes/plain-catalog.js";
import { startTraffic, type Traffic } from "../scenes/traffic.js";

const learners = 200;
const asJson = { "content-type": "application/json" };

/** Makes the requests of a kind, in turns of learners. */
type Kind = (builds: Builds, build: Build, traffic: Traffic, turn: number) => Call;

const learner = (turn: number) => `user_learner_${turn % learners}`;
const post = (builds: Builds, turn: number, path: string, body: object = {}): Call => ({
  ...{ kind: "write", path, method: "POST", body: JSON.stringify(body) },
  headers: { ...asJson, ...builds.signedAs(learner(turn)) },
});

/** Lectures of the learners' five courses, another one for each lap of the learners. The last one would draw a certificate. */
function lectureOf({ courseIds }: Traffic, lap: number) {
  const [chapters, lectures] = outline;
  const number = chapters * lectures - 1;
  const [course, place] = [Math.floor(lap / number) % 5, lap % number];
  const lectureId = `ch${1 + Math.floor(place / lectures)}-l${1 + (place % lectures)}`;
  return { courseId: courseIds[course], lectureId };
}

const lecture = "/api/user/update-course-progress";
const kinds: Record<string, Kind> = {
  "own data, a new token each": (builds) => {
    const headers = { authorization: `Bearer ${builds.newToken(learner(0))}` };
    return { kind: "read", path: "/api/user/data", headers };
  },
  "lecture, first time": (builds, _build, traffic, turn) =>
    post(builds, turn, lecture, lectureOf(traffic, Math.floor(turn / learners))),
  "lecture, repeated": (builds, _build, traffic, turn) => post(builds, turn, lecture, lectureOf(traffic, 0)),
  rating: (builds, _build, { courseIds }, turn) =>
    post(builds, turn, "/api/user/add-rating", { courseId: courseIds[0], rating: 1 + (turn % 5) }),
  upvote: (builds, _build, { postIds }, turn) =>
    post(builds, turn, `/api/community/posts/${postIds[turn % postIds.length]}/upvote`),
  "first webhook": (_builds, _build, traffic) => traffic.payment() ?? { kind: "none", path: "/" },
};

/** Kinds that the fair server answers, too. */
const fairKinds = ["lecture, first time", "first webhook"];

/** CPU and latency of requests that write a little, by many learners and by one at a time. */
export const writes: Part = {
  about: "CPU and latency of writes at small size, and of a new token each",
  async run({ quick, rounds, beside, progress }) {
    const [amount, warmRounds] = quick ? [60, 1] : [400, 4];
    const builds = await startBuilds({ beside, fair: true });
    const rows: Row[] = [];
    const fairRows: Row[] = [];
    try {
      const traffics = new Map<Build, Traffic>();
      for (const build of builds.all) traffics.set(build, await startTraffic(builds, build, { courses: 20 }));
      const turns = new Map<string, number>();
      for (const [name, kind] of Object.entries(kinds)) {
        progress(name);
        const taken = (build: Build, connections: number) => async (): Promise<{ cpu: number; ms: number }> => {
          const traffic = traffics.get(build) as Traffic;
          // Purchases are opened before, out of the time that is taken.
          const opened = name === "first webhook" ? amount : 0;
          if (opened)
            allServed(await drive({ url: build.url, connections: 4, next: traffic.purchase, amount: opened }));
          const key = `${build.name} ${name}`;
          const next = (): Call => {
            const turn = turns.get(key) ?? 0;
            turns.set(key, turn + 1);
            return kind(builds, build, traffic, turn);
          };
          const before = await build.cpu();
          const outcomes = allServed(await drive({ url: build.url, connections, next, amount }));
          return { cpu: ((await build.cpu()) - before) / amount, ms: median(outcomes.map(({ ms }) => ms)) };
        };
        const measures: Record<string, () => Promise<{ cpu: number; ms: number }>> = {};
        for (const build of builds.all) {
          if (build.name === "fair" && !fairKinds.includes(name)) continue;
          measures[`${build.name} 16`] = taken(build, 16);
          measures[`${build.name} 1`] = taken(build, 1);
        }
        await inTurns(warmRounds, measures);
        const figures = await inTurns(rounds, measures);
        const cpu = (of: string) => (figures[of] ?? []).map((one) => one.cpu);
        const ms = (of: string) => median((figures[of] ?? []).map((one) => one.ms));
        const besides = beside && {
          ...{
            "beside µs": median(cpu("beside 16")),
            "this : beside": median(cpu("this 16")) / median(cpu("beside 16")),
          },
          ...{ "beside alone µs": median(cpu("beside 1")), "beside alone p50 ms": ms("beside 1") },
        };
        rows.push({
          ...{ request: name, "this µs": median(cpu("this 16")), spread: spread(cpu("this 16")) },
          ...{ "alone µs": median(cpu("this 1")), "p50 ms": ms("this 16"), "alone p50 ms": ms("this 1") },
          ...besides,
        });
        if (fairKinds.includes(name)) {
          fairRows.push({
            ...{ request: name, "this µs": median(cpu("this 16")), "fair µs": median(cpu("fair 16")) },
            "fair : this": median(cpu("fair 16")) / median(cpu("this 16")),
            ...{ "this p50 ms": ms("this 16"), "fair p50 ms": ms("fair 16") },
            ...{ "this alone µs": median(cpu("this 1")), "fair alone µs": median(cpu("fair 1")) },
            "alone, fair : this": median(cpu("fair 1")) / median(cpu("this 1")),
          });
        }
      }
    } finally {
      await builds.end();
    }
    const note =
      "CPU of the server's process for one request, 16 connections and one (alone). Four rounds more, while the code is compiled, do not count.";
    const fairNote =
      "CPU of a server of node:http and the driver alone that keeps the promises of these two requests, without background jobs (`bench/subjects/fair.ts`). From 1 on, this build takes no more. Its own CPU includes its jobs.";
    return [
      { title: "Writes at small size", note, rows },
      { title: "Beside a fair server", note: fairNote, rows: fairRows },
    ];
  },
};
