import type { Db } from "../../db/db.js";
import type { NoticeReader, NoticeStreams } from "../../deps.js";
import { chunk } from "../../lib/chunk.js";
import { failure } from "../../lib/errors.js";
import { findNoticesBehind, type ListedNotice, lastNoticeNumber } from "../../models/notices/notice.js";
import { UserNotFound } from "../failures.js";
import { findLeavers } from "../users/find-leavers.js";
import { describeNotice, readInbox } from "./list-notices.js";

export const TooManyStreams = failure("too_many_streams", 429, "Too many open streams");

/** Maximum number of open streams of a user. */
const maxStreams = 3;
/** Notices that one query reads, and that a resumed stream gets at most before it ends and is resumed again. */
const maxNotices = 500;
const pollMs = 1_000;
const commentMs = 25_000;
/** Number of comments after which a stream ends: an hour. Its client then shows its present token. */
const maxComments = 144;
/** Pause between two looks for users who have been deleted or erased. Their streams end within 5 seconds. */
const leaversMs = 3_000;

interface Stream {
  readonly userId: string;
  readonly reader: NoticeReader;
  /** Number of the last notice that was sent. */
  sent: number;
  /** While it reads earlier notices: whether a new one came meanwhile. */
  catchUp: { missed: boolean } | undefined;
  comments: number;
  timer?: NodeJS.Timeout;
}

/**
 * Creates the streams of a server. It does nothing until the first stream is opened. An idle stream is held by one timer
 * and one listener alone, because thousands of them may be open.
 */
export function createNoticeStreams(db: Db): NoticeStreams {
  const streams = new Map<string, Set<Stream>>();
  /** Number of streams of each user, those included that are being opened. */
  const slots = new Map<string, number>();
  let isClosed = false;
  /** Number of the last notice that was delivered. */
  let last = 0;
  let starting: Promise<void> | undefined;
  let polling: { again: boolean } | undefined;
  const timers = new Set<NodeJS.Timeout>();

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
      } while (polling.again && slots.size > 0);
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
        stream.reader.push("notification", describeNotice(notice, { readMarks: [] }), notice.seq);
      }
    }
  }

  async function endStreamsOfLeavers(): Promise<void> {
    for (const userIds of chunk([...streams.keys()])) {
      for (const userId of await findLeavers(db, userIds)) {
        for (const { reader } of streams.get(userId) ?? []) reader.end();
      }
    }
  }

  /** Begins to poll with the first stream. */
  function start(): Promise<void> {
    starting ??= lastNoticeNumber(db).then(
      (number) => {
        last = number;
        timers.add(setInterval(pollNow, pollMs).unref());
        // The next look finds those whom a failed one has missed.
        const look = () => void endStreamsOfLeavers().catch(() => undefined);
        timers.add(setInterval(look, leaversMs).unref());
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
    for (const timer of timers) clearInterval(timer);
    timers.clear();
    db.jobWakeups.off("Notice", pollNow);
    starting = undefined;
  }

  /** Sends what the reader has missed. @returns whether the stream goes on. */
  async function catchUp(stream: Stream): Promise<boolean> {
    const { userId, reader } = stream;
    let count = 0;
    while (stream.catchUp) {
      stream.catchUp.missed = false;
      const inbox = await readInbox(db, userId);
      const notices = await findNoticesBehind(db, { userId, after: stream.sent, limit: maxNotices - count });
      for (const notice of notices) {
        if (reader.isOver) return false;
        await reader.send("notification", describeNotice(notice, inbox), notice.seq);
        stream.sent = notice.seq;
      }
      count += notices.length;
      if (count >= maxNotices) return false;
      if (!stream.catchUp.missed) stream.catchUp = undefined;
    }
    return true;
  }

  function beat(stream: Stream): void {
    stream.comments += 1;
    if (stream.comments < maxComments) stream.reader.comment();
    else stream.reader.end();
  }

  /** Adds a stream until its reader has gone. */
  function add(stream: Stream): void {
    const own = streams.get(stream.userId) ?? new Set();
    streams.set(stream.userId, own.add(stream));
    stream.timer = setInterval(beat, commentMs, stream).unref();
    stream.reader.onClose(() => remove(stream));
  }

  function remove(stream: Stream): void {
    const own = streams.get(stream.userId);
    if (!own?.delete(stream)) return;
    clearInterval(stream.timer);
    if (own.size === 0) streams.delete(stream.userId);
    leave(stream.userId);
  }

  /** Frees a slot. */
  function leave(userId: string): void {
    const others = (slots.get(userId) ?? 0) - 1;
    if (others > 0) slots.set(userId, others);
    else slots.delete(userId);
    if (slots.size === 0) stop();
  }

  return {
    async open(userId, reader, after) {
      if (isClosed) {
        reader.comment();
        return reader.end();
      }
      const taken = slots.get(userId) ?? 0;
      if (taken >= maxStreams) throw TooManyStreams();
      slots.set(userId, taken + 1);
      let sent = after;
      try {
        if ((await findLeavers(db, [userId])).size > 0) throw UserNotFound();
        await start();
        // Another instance may have sent what this one has not read yet. A number above the counter is unknown.
        if (after !== undefined && after > last && after > (await lastNoticeNumber(db))) sent = last;
      } catch (error) {
        leave(userId);
        throw error;
      }
      if (reader.isOver) return leave(userId);
      const missed = after === undefined ? undefined : { missed: false };
      const stream: Stream = {
        userId,
        reader,
        sent: sent ?? last,
        catchUp: missed,
        comments: 0,
      };
      add(stream);
      reader.comment();
      if (!isClosed && (await catchUp(stream).catch(() => false))) return;
      remove(stream);
      reader.end();
    },
    close() {
      isClosed = true;
      for (const own of streams.values()) for (const { reader } of own) reader.end();
      stop();
    },
  };
}
