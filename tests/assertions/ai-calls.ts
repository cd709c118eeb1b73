import { aiOf } from "../server/emulators.js";
import type { TestServer } from "../server/test-server.js";

/** What the AI emulator was asked since it last forgot, whose prompts hold `text`. */
export const callsAbout = (server: Pick<TestServer, "emulators">, text: string) =>
  aiOf(server)
    .calls()
    .filter(({ prompt }) => prompt.includes(text));

/** How each call ended since it last forgot, in order. */
export const stateOf = (server: Pick<TestServer, "emulators">) =>
  aiOf(server)
    .calls()
    .map(({ state }) => state);

/** Most of these calls that were under way at the same moment. */
export function mostAtOnce(calls: ReturnType<typeof callsAbout>): number {
  const during = (at: number) =>
    calls.filter((call) => call.at <= at && (call.endedAt ?? Number.POSITIVE_INFINITY) > at).length;
  return Math.max(0, ...calls.map(({ at }) => during(at)));
}
