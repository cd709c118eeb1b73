import { beGranted, buy, refund, takeForFree } from "./buying.js";
import { becomeEducator, chat, erase, finish, learn, rate, takeQuiz, track } from "./learning.js";
import type { Life, Step } from "./life.js";
import type { Learner, Scene } from "./scene.js";
import { freshEmail, signUp } from "./sign-up.js";
import { join, post, reply, vote } from "./talking.js";

/** Runs learners concurrently until `stop`. @returns the number of learners. */
export async function liveLives(
  scene: Scene,
  lives: readonly Life[],
  { atOnce, stop }: { readonly atOnce: number; readonly stop: AbortSignal },
): Promise<number> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (!stop.aborted) {
      const life = lives[next++ % lives.length];
      if (life) await live(scene, life, stop);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return next;
}

async function live(scene: Scene, { steps, turn }: Life, stop: AbortSignal): Promise<void> {
  const learner = await signUp(scene, turn);
  if (!learner) return;
  for (const step of steps) {
    if (stop.aborted) return;
    try {
      await (actions[step.do] as (learner: Learner, step: Step) => Promise<void>)(learner, step);
    } catch (error) {
      // The provider refuses a second payment or refund, which is no error of the campaign.
      if (!(error instanceof Error) || error.constructor.name !== "PaymentRefusal") {
        scene.defects.push(`${step.do}: ${error instanceof Error ? error.stack : error}`);
      }
    }
  }
}

const actions: { readonly [K in Step["do"]]: (learner: Learner, step: Step & { do: K }) => Promise<void> } = {
  buy,
  "take for free": takeForFree,
  refund: (learner, { by }) => refund(learner, by),
  "be granted": (learner) => beGranted(learner, { userId: learner.id }),
  "be granted by address": beGrantedByAddress,
  learn: (learner, { lectures }) => learn(learner, lectures),
  finish,
  track: (learner, { seconds }) => track(learner, seconds),
  rate: (learner, { rating }) => rate(learner, rating),
  quiz: takeQuiz,
  chat,
  apply: becomeEducator,
  post,
  reply,
  vote: (learner, { times }) => vote(learner, times),
  join,
  erase,
};

async function beGrantedByAddress(learner: Learner): Promise<void> {
  const email = freshEmail();
  await beGranted(learner, { email });
  await signUp(learner.scene, 0, email);
}
