import { client as defaultClient } from "./client.js";
import { errorOf } from "./errors.js";
import type { Client } from "./generated/client/index.js";
import type { Notification } from "./generated/types.gen.js";
import { pause } from "./pause.js";
import { readEvents } from "./read-events.js";

export interface FollowOptions {
  readonly client?: Client;
  readonly signal?: AbortSignal;
  /** Milliseconds until a lost connection is opened again: about so many, so that clients do not return together. */
  readonly retryAfter?: number;
}

/** Milliseconds until a client asks again that has too many streams open. */
const busyRetryAfter = 30_000;

/**
 * Yields notifications as they come. After a lost connection it goes on where it was, with a fresh token. It ends when
 * `options.signal` is aborted.
 * @throws LyceumError when the server refuses the stream.
 */
export async function* followNotifications(options: FollowOptions = {}): AsyncGenerator<Notification, void> {
  const { client = defaultClient, signal, retryAfter = 3_000 } = options;
  let lastId: string | undefined;
  while (!signal?.aborted) {
    const result = await client.get<{ 200: ReadableStream<BufferSource> }>({
      url: "/api/user/notifications/stream",
      security: [{ scheme: "bearer", type: "http" }],
      headers: { Accept: "text/event-stream", ...(lastId && { "Last-Event-ID": lastId }) },
      parseAs: "stream",
      ...(signal && { signal }),
    });
    if (result.data) {
      try {
        for await (const { event, id, data } of readEvents(result.data)) {
          lastId = id ?? lastId;
          if (event === "notification") yield data;
        }
      } catch {
        // The connection broke.
      }
    }
    const status = result.response?.status ?? 0;
    if (status >= 400 && status < 500 && status !== 429) throw errorOf(result);
    await pause((status === 429 ? busyRetryAfter : retryAfter) * (0.5 + Math.random()), signal);
  }
}
