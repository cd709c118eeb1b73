import { aiOf } from "../server/emulators.js";
import type { TestServer } from "../server/test-server.js";

/** Lists the recorded AI calls whose prompt contains `text`. */
export const callsAbout = (server: Pick<TestServer, "emulators">, text: string) =>
  aiOf(server)
    .calls()
    .filter(({ prompt }) => prompt.includes(text));

/** Lists the outcomes of the recorded AI calls in order. */
export const stateOf = (server: Pick<TestServer, "emulators">) =>
  aiOf(server)
    .calls()
    .map(({ state }) => state);

/** Returns the largest number of simultaneous calls. */
export function mostAtOnce(calls: ReturnType<typeof callsAbout>): number {
  const during = (at: number) =>
    calls.filter((call) => call.at <= at && (call.endedAt ?? Number.POSITIVE_INFINITY) > at).length;
  return Math.max(0, ...calls.map(({ at }) => during(at)));
}
