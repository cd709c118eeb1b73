import { setTimeout as sleep } from "node:timers/promises";
import { createTurns } from "../lib/turns.js";

const inTurn = createTurns({ atOnce: 1 });

/**
 * Renders a PDF or a text when its user's turn has come. Rendering occupies the event loop, so each is followed by a pause
 * of its own length, in which other requests are served.
 * @param signal aborts when nobody waits for the result any more. @throws the reason of `signal`, before the rendering.
 */
export function renderInTurn<T>(userId: string, render: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    inTurn(userId, async () => {
      signal?.throwIfAborted();
      const begun = performance.now();
      await render().then(resolve, reject);
      await sleep(performance.now() - begun);
    }).catch(reject);
  });
}
