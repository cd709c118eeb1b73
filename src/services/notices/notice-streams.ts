import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { findNoticesBehind, type ListedNotice, lastNoticeNumber } from "../../models/notices/notice.js";
import { describeNotice, type NoticeView, readInbox } from "./list-notices.js";
import { createStreamSlots } from "./stream-slots.js";

export const TooManyStreams = failure("too_many_streams", 429, "Too many open streams");

/** Notices that one query reads, and that a resumed stream gets at most before it ends and is resumed again. */
const maxNotices = 500;
const pollMs = 1_000;
const commentMs = 25_000;
/** A stream ends after this time, so that its client shows a valid token again. */
const maxStreamMs = 3_600_000;

/** Where the notices of a stream go. */
export interface NoticeSink {
  /** Waits while the reader cannot keep up. */
  send(notice: NoticeView, id: number): Promise<void>;
  /** Cuts off a reader that cannot keep up. */
  push(notice: NoticeView, id: number): void;
  comment(): void;
}

interface Stream {
  readonly sink: NoticeSink;
  /** Number of the last notice that was sent. */
  sent: number;
  /** While it reads earlier notices: whether a new one came meanwhile. */
  catchUp: { missed: boolean } | undefined;
  end(): void;
}

/** The open streams of this process. */
export interface NoticeStreams {
  /**
   * Sends a user's notices as they are made, until the reader leaves or the stream ends.
   * @param options `after`: number of the last notice that the reader has; absent: only new ones are sent.
   * @throws TooManyStreams
   */
  serve(userId: string, sink: NoticeSink, options: { after: number | undefined; signal: AbortSignal }): Promise<void>;
  /** Ends every stream. */
  close(): Promise<void>;
}

/** Creates the streams of a server. It does nothing until the first stream is opened. */
export function createNoticeStreams(db: Db): NoticeStreams {
  const slots = createStreamSlots(db);
  const streams = new Map<string, Set<Stream>>();
  let isClosed = false;
  /** Number of streams, those included that are being opened. */
  let open = 0;
  /** Number of the last notice that was delivered. */
  let last = 0;
  let starting: Promise<void> | undefined;
  let polling: { again: boolean } | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** One query for all streams. A wake-up during a poll is another poll. */
  async function poll(): Promise<void> {
    if (polling) {
      polling.again = true;
      return;
    }
    polling = { again: false };
    try {
      do {
        polling.again = false;
        const notices = await findNoticesBehind(db, { after: last, limit: maxNotices });
        for (const notice of notices) deliver(notice);
        polling.again ||= notices.length === maxNotices;
      } while (polling.again && open > 0);
    } catch {
      // The next poll reads the same notices.
    } finally {
      polling = undefined;
    }
  }
  const pollNow = (): void => void poll();

  function deliver(notice: ListedNotice): void {
    last = notice.seq;
    for (const stream of streams.get(notice.userId) ?? []) {
      if (stream.catchUp) stream.catchUp.missed = true;
      else if (notice.seq > stream.sent) {
        stream.sent = notice.seq;
        stream.sink.push(describeNotice(notice, { readMarks: [] }), notice.seq);
      }
    }
  }

  /** Begins to poll with the first stream. */
  function start(): Promise<void> {
    starting ??= lastNoticeNumber(db).then(
      (number) => {
        last = number;
        timer = setInterval(pollNow, pollMs).unref();
        db.jobWakeups.on("Notice", pollNow);
      },
      (error: unknown) => {
        starting = undefined;
        throw error;
      },
    );
    return starting;
  }

  function stop(): void {
    clearInterval(timer);
    db.jobWakeups.off("Notice", pollNow);
    starting = undefined;
  }

  function add(userId: string, stream: Stream): void {
    const own = streams.get(userId) ?? new Set();
    streams.set(userId, own.add(stream));
  }

  function remove(userId: string, stream: Stream): void {
    const own = streams.get(userId);
    own?.delete(stream);
    if (own?.size === 0) streams.delete(userId);
  }

  /** Sends what the reader has missed. @returns whether the stream goes on. */
  async function catchUp(userId: string, stream: Stream, signal: AbortSignal): Promise<boolean> {
    let missed = stream.catchUp;
    let count = 0;
    while (missed) {
      missed.missed = false;
      const inbox = await readInbox(db, userId);
      const notices = await findNoticesBehind(db, { userId, after: stream.sent, limit: maxNotices - count });
      for (const notice of notices) {
        if (signal.aborted) return false;
        await stream.sink.send(describeNotice(notice, inbox), notice.seq);
        stream.sent = notice.seq;
      }
      count += notices.length;
      if (count >= maxNotices) return false;
      if (!missed.missed) missed = stream.catchUp = undefined;
    }
    return true;
  }

  return {
    async serve(userId, sink, { after, signal }) {
      if (isClosed) return;
      const slot = await slots.take(userId, maxStreamMs + 60_000);
      if (!slot) throw TooManyStreams();
      let stream: Stream | undefined;
      const timers: NodeJS.Timeout[] = [];
      open += 1;
      try {
        await start();
        if (signal.aborted || isClosed) return;
        const ended = new Promise<void>((resolve) => {
          const sent = Math.min(after ?? last, last);
          stream = { sink, sent, catchUp: after === undefined ? undefined : { missed: false }, end: resolve };
          signal.addEventListener("abort", () => resolve());
        });
        if (!stream) return;
        add(userId, stream);
        sink.comment();
        if (!(await catchUp(userId, stream, signal))) return;
        timers.push(setInterval(() => sink.comment(), commentMs).unref(), setTimeout(stream.end, maxStreamMs).unref());
        await ended;
      } finally {
        for (const each of timers) clearTimeout(each);
        if (stream) remove(userId, stream);
        open -= 1;
        if (open === 0) stop();
        if (!isClosed) await slots.release(slot).catch(() => undefined);
      }
    },
    async close() {
      isClosed = true;
      for (const own of streams.values()) for (const stream of own) stream.end();
      stop();
      await slots.close().catch(() => undefined);
    },
  };
}
