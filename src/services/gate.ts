/** Admits a bounded number at a time; the rest wait in order of arrival. */
export interface Gate {
  /**
   * Waits for a place. Call the answer once to leave.
   * @throws GateFull when too many wait already; the signal's reason when it aborts meanwhile.
   */
  enter(signal?: AbortSignal): Promise<() => void>;
  readonly inside: number;
}

export class GateFull extends Error {
  constructor() {
    super("too many are waiting");
    this.name = "GateFull";
  }
}

interface Waiting {
  admit(): void;
}

export function createGate(places: number, maxWaiting: number): Gate {
  let inside = 0;
  const queue = new Set<Waiting>();

  const leave = (): (() => void) => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const [next] = queue;
      if (!next) {
        inside -= 1;
        return;
      }
      queue.delete(next);
      next.admit();
    };
  };

  return {
    get inside() {
      return inside;
    },
    async enter(signal) {
      signal?.throwIfAborted();
      if (inside < places) {
        inside += 1;
        return leave();
      }
      if (queue.size >= maxWaiting) throw new GateFull();
      return new Promise((resolve, reject) => {
        const gone = () => {
          queue.delete(waiting);
          reject(signal?.reason);
        };
        const waiting: Waiting = {
          admit() {
            signal?.removeEventListener("abort", gone);
            resolve(leave());
          },
        };
        queue.add(waiting);
        signal?.addEventListener("abort", gone, { once: true });
      });
    },
  };
}
