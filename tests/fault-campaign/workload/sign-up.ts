import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "./client.js";
import type { Learner, Scene } from "./scene.js";

const tokenSeconds = 6 * 3_600;
/** Limit of the wait for the provider's webhook. */
const patienceMs = 12_000;

/** Signs a learner up at the identity provider. @returns undefined when the servers have not received the webhook. */
export async function signUp(scene: Scene, turn: number, email = freshEmail()): Promise<Learner | undefined> {
  const { system, tally, urls } = scene;
  const { identity } = system.emulators;
  const id = `user_${randomUUID().replaceAll("-", "")}`;
  await identity.createUser({ id, firstName: "Asha", lastName: "Rao", email });
  const token = identity.issueToken(id, { role: "student", expiresInSeconds: tokenSeconds });
  const client = new Client(urls, token, tally, turn);
  for (const end = performance.now() + patienceMs; performance.now() < end; await pause(200)) {
    const known = await client.ask("GET", "/api/user/data");
    if (known?.status === 200 && known.body.success === true) {
      return { scene, id, email, client, administrator: scene.administrator(), courses: [], paid: [] };
    }
  }
  return undefined;
}

export const freshEmail = (): string => `${randomUUID().slice(0, 13)}@example.com`;
