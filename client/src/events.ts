import { errorOf } from "./errors.js";
import { listEvents, listEventsAsAdmin } from "./generated/sdk.gen.js";
import type { ListEventsData, ListEventsResponse } from "./generated/types.gen.js";
import { pause } from "./pause.js";

/** A fact that the platform has stored, and a place in the list of events. */
export type PlatformEvent = ListEventsResponse["events"][number] & {
  /** Keep it, and send it as `after` to go on later. A reader that does so misses no event; some may come again. */
  readonly cursor: string | undefined;
};

export interface EventsOptions extends Omit<NonNullable<Parameters<typeof listEvents>[0]>, "query"> {
  /** Whose events: those of the educator's own courses (default), or of the whole platform. */
  readonly audience?: "educator" | "admin";
  readonly query?: ListEventsData["query"];
  /** Milliseconds until the server is asked again after the last event that it has. */
  readonly pollEvery?: number;
}

/**
 * Yields events, oldest first, and waits for new ones: `for await (const event of events())`. It ends when
 * `options.signal` is aborted.
 * @throws LyceumError when a request is refused or the server cannot be reached.
 */
export async function* events(options: EventsOptions = {}): AsyncGenerator<PlatformEvent, void> {
  const { audience = "educator", pollEvery = 2_000, query, signal, ...others } = options;
  const list = audience === "admin" ? listEventsAsAdmin : listEvents;
  const sent = { ...others, ...(signal && { signal }), throwOnError: false } as const;
  const limit = query?.limit ?? 100;
  let cursor = query?.after;
  while (!signal?.aborted) {
    const result = await list({ ...sent, query: { ...query, limit, ...(cursor && { after: cursor }) } });
    if (!result.data) {
      if (signal?.aborted) return;
      throw errorOf(result);
    }
    const { events: page, nextCursor } = result.data;
    for (const [index, event] of page.entries()) {
      yield { ...event, cursor: index === page.length - 1 ? nextCursor : cursor };
    }
    cursor = nextCursor;
    if (page.length < limit) await pause(pollEvery, signal);
  }
}
