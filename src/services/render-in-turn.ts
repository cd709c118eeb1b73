import { setTimeout as sleep } from "node:timers/promises";
import { createTurns } from "../lib/turns.js";

const inTurn = createTurns({ atOnce: 1 });

/**
 * Draws a PDF when its user's turn has come. Drawing occupies the event loop, so each PDF is followed by a pause of its
 * own length, in which other requests are served.
 */
export function renderInTurn(userId: string, draw: () => Promise<Buffer>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    inTurn(userId, async () => {
      const begun = performance.now();
      await draw().then(resolve, reject);
      await sleep(performance.now() - begun);
    }).catch(reject);
  });
}
