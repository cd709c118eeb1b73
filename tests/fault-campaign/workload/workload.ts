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
      await take(learner, step);
    } catch (error) {
      // The provider refuses a second payment or refund, which is no error of the campaign.
      if (!(error instanceof Error) || error.constructor.name !== "PaymentRefusal") {
        scene.defects.push(`${step.do}: ${error instanceof Error ? error.stack : error}`);
      }
    }
  }
}

function take(learner: Learner, step: Step): Promise<void> {
  switch (step.do) {
    case "buy":
      return buy(learner, step);
    case "take for free":
      return takeForFree(learner);
    case "refund":
      return refund(learner, step.by);
    case "be granted":
      return beGranted(learner, { userId: learner.id });
    case "be granted by address":
      return beGrantedByAddress(learner);
    case "learn":
      return learn(learner, step.lectures);
    case "finish":
      return finish(learner);
    case "track":
      return track(learner, step.seconds);
    case "rate":
      return rate(learner, step.rating);
    case "quiz":
      return takeQuiz(learner);
    case "chat":
      return chat(learner);
    case "apply":
      return becomeEducator(learner);
    case "post":
      return post(learner);
    case "reply":
      return reply(learner);
    case "vote":
      return vote(learner, step.times);
    case "join":
      return join(learner);
    case "erase":
      return erase(learner);
  }
}

async function beGrantedByAddress(learner: Learner): Promise<void> {
  const email = freshEmail();
  await beGranted(learner, { email });
  await signUp(learner.scene, 0, email);
}
