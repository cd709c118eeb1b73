import { setTimeout as pause } from "node:timers/promises";
import { inTurns, median, percentile, spread } from "../measure/figures.js";
import type { Context, Part, Row, Section } from "../part.js";
import { type Build, type Builds, startBuilds } from "../processes/builds.js";
import { memoryOf } from "../processes/proc.js";
import { type Subject, startSubject } from "../processes/subject.js";
import { fillTutor, type TutorWorld } from "../scenes/tutor.js";
import type { AskedStream } from "../subjects/learners.js";

/** The tutor apart from its provider's time: provider, server, database and learners are processes of their own. */
export const tutor: Part = {
  about: "the AI tutor apart from its provider: CPU of a turn, memory of 200 streams, first text",
  async run(context) {
    const provider = await startSubject("bench/subjects/provider.ts");
    const learners = await startSubject("bench/subjects/learners.ts");
    const env = { OPENAI_API_KEY: "bench", OPENAI_BASE_URL: `${provider.url}/v1` };
    const builds = await startBuilds({ env });
    const [build] = builds.all;
    if (!build) throw new Error("no build");
    const stage: Stage = { provider, learners, builds, build, context };
    try {
      const sections: Section[] = [];
      for (const measure of [growth, memory, firstText]) sections.push(await measure(stage));
      return sections;
    } finally {
      await builds.end();
      await learners.end();
      await provider.end();
    }
  },
};

interface Stage {
  readonly provider: Subject;
  readonly learners: Subject;
  readonly builds: Builds;
  readonly build: Build;
  readonly context: Context;
}

const small: TutorWorld = { learners: 5, sessions: 1, courses: 20, enrolled: 3 };

const pace = ({ provider }: Stage, firstMs: number, everyMs: number, texts = 40): Promise<unknown> =>
  provider.ask("pace", { firstMs, everyMs, texts });

async function tokensOf({ builds, build }: Stage, world: TutorWorld): Promise<string[]> {
  return (await fillTutor(build, world)).map((id) => builds.signedAs(id).authorization?.slice(7) ?? "");
}

const streams = ({ learners, build }: Stage, tokens: string[], question: string, apartMs = 0): Promise<AskedStream[]> =>
  learners.ask("streams", { url: build.url, tokens, question, apartMs });

async function turns({ learners, build }: Stage, tokens: string[], each: number): Promise<number> {
  const question = "How do I go on with lecture 2.3?";
  for (let turn = 0; turn < each; turn += 1) {
    for (let from = 0; from < tokens.length; from += 5) {
      await learners.ask("turns", { url: build.url, tokens: tokens.slice(from, from + 5), question });
    }
  }
  return tokens.length * each;
}

async function growth(stage: Stage): Promise<Section> {
  const worlds: TutorWorld[] = [
    small,
    { ...small, sessions: 100 },
    { ...small, courses: 2_000 },
    { ...small, courses: 2_000, enrolled: 100 },
  ];
  await pace(stage, 0, 0);
  await turns(stage, await tokensOf(stage, small), 20);
  const measures = worlds.map((world, i) => [
    String(i),
    async () => {
      // Each may ask thirty times in ten minutes.
      const tokens = await tokensOf(stage, world);
      await turns(stage, tokens, 2);
      const before = await stage.build.cpu();
      const count = await turns(stage, tokens, 16);
      return ((await stage.build.cpu()) - before) / count;
    },
  ]);
  const figures: Record<string, number[]> = await inTurns(
    Math.min(stage.context.rounds, 5),
    Object.fromEntries(measures),
  );
  const least = median(figures["0"] ?? []);
  const rows = worlds.map(({ learners, ...world }, i) => {
    const taken = figures[String(i)] ?? [];
    return { ...world, "CPU µs/turn": median(taken), spread: spread(taken), ratio: median(taken) / least };
  });
  return { title: "A turn of the tutor as past chats and courses grow (JSON, a new chat each)", rows };
}

async function memory(stage: Stage): Promise<Section> {
  const tokens = await tokensOf(stage, { ...small, learners: 200 });
  await pace(stage, 0, 0);
  await turns(stage, tokens, 1);
  const { pid } = stage.build;
  const before = (await memoryOf(pid)).now;
  await pace(stage, 100, 40, 60);
  let [running, most] = [true, 0];
  const watch = (async () => {
    while (running) {
      most = Math.max(most, (await memoryOf(pid)).now);
      await pause(50);
    }
  })();
  try {
    // All of them run together for a second and a half.
    await streams(stage, tokens, "Explain lecture 2.3, please", 5);
  } finally {
    running = false;
    await watch;
  }
  return {
    title: "200 streams at once",
    rows: [{ "MiB before": before, "MiB at most": most, "MiB more": most - before }],
  };
}

/** The provider notes when it writes its first text, so what the server adds before and after can be told apart. */
async function firstText(stage: Stage): Promise<Section> {
  const firstMs = 300;
  const rows: Row[] = [];
  // Streams last 1.3 s: begun 20 ms apart, all of them run together too.
  const crowds = [
    { atOnce: 1, apartMs: 0 },
    { atOnce: 10, apartMs: 20 },
    { atOnce: 50, apartMs: 20 },
    { atOnce: 50, apartMs: 0 },
  ];
  const rounds = stage.context.quick ? 2 : 12;
  for (const { atOnce, apartMs } of crowds) {
    const tokens = await tokensOf(stage, { ...small, learners: atOnce });
    await pace(stage, firstMs, 25);
    const before: number[] = [];
    const after: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await stage.provider.ask("firstTexts");
      const asked = await streams(stage, tokens, `Explain lecture 2.3, please, for the ${round}. time`, apartMs);
      // The first quarter warms up.
      if (round < rounds / 4) continue;
      const written = await stage.provider.ask<Record<string, number>>("firstTexts");
      for (const { question, sentAt, textAt } of asked) {
        const at = written[question];
        if (!at) throw new Error(`the provider was not asked: ${question}`);
        before.push((at - sentAt) / 1e6 - firstMs);
        after.push((textAt - at) / 1e6);
      }
    }
    rows.push({
      ...{ "streams at once": atOnce, "begun ms apart": apartMs, "ms until asked": median(before) },
      ...{ "ms after its first text": median(after), "p95 of these": percentile(after, 95) },
    });
  }
  return {
    title: "First text of a stream: before the provider is asked, and after it wrote its first (of 40, one each 25 ms)",
    rows,
  };
}
