import { setTimeout as sleep } from "node:timers/promises";
import { createTurns, type RunInTurn } from "../lib/turns.js";

/**
 * Creates the turns in which PDFs and texts are rendered for users. Rendering occupies the event loop, so each is followed
 * by a pause of its own length, in which other requests are served.
 */
export function createRenderTurns(): RunInTurn {
  const runInTurn = createTurns({ atOnce: 1 });
  return (userId, render, signal) =>
    new Promise((resolve, reject) => {
      const renderAndRest = async (): Promise<void> => {
        const begun = performance.now();
        await render().then(resolve, reject);
        await sleep(performance.now() - begun);
      };
      runInTurn(userId, renderAndRest, signal).catch(reject);
    });
}
