import { noticeSources, rowsOf } from "../../../src/services/notices/make-notices.js";
import { noticesOfEvents, noticeTypes } from "../../../src/services/notices/notice-types.js";
import { isPseudonym } from "../../../src/services/privacy/pseudonym.js";
import { type Promised, promise } from "./promise.js";

export const ofNotices: readonly Promised[] = [
  promise("every event, reply and upvote gives its user one notice", async ({ system: { db } }, expect) => {
    for (const source of noticeSources) {
      const isDue = await rowsOf(db, source).exists({ noticeDueAt: { $gt: new Date(0), $lte: new Date() } });
      expect(!isDue, () => `a row of ${source.model} waits for its notice`);
    }
    const made = new Map<string, number>();
    for await (const { type, key, userId, count = 0 } of db.Notice.find().lean()) {
      // An educator of many courses has many notices of one type, each with its own cause.
      expect(
        key.startsWith(`${type}:`) && key.endsWith(`:${userId}`),
        () => `the notice ${key} is of another type or user`,
      );
      expect(!made.has(key), () => `there are two notices ${key}`);
      made.set(key, count);
    }
    const expectNotice = (type: string, cause: string, userId: string, least = 1): void => {
      if (isPseudonym(userId)) return;
      const key = `${type}:${cause}:${userId}`;
      expect((made.get(key) ?? 0) >= least, () => `${key} counts ${made.get(key) ?? "nothing"}, expected ${least}`);
    };
    for await (const { _id, type, data, educatorId, actorId } of db.Event.find({ seq: { $gt: 0 } }).lean()) {
      const notice = noticesOfEvents.get(type);
      const own = String(data.userId);
      const userId = notice?.to === "the user" ? own : educatorId;
      if (!notice || !userId || (notice.to === "the educator" && [own, actorId].includes(userId))) continue;
      expectNotice(notice.type, String(_id), userId);
    }
    const authors = new Map(
      (await db.CommunityPost.find({}, { authorId: 1 }).lean()).map(({ _id, authorId }) => [String(_id), authorId]),
    );
    for await (const { _id, postId, authorId } of db.CommunityReply.find().lean()) {
      const userId = authors.get(String(postId));
      if (userId !== undefined && userId !== authorId) expectNotice("reply_to_post", String(_id), userId);
    }
    const votes = new Map<string, { hour: string; userId: string; count: number }>();
    for await (const { postId, targetId, userId, createdAt } of db.Vote.find().lean()) {
      const author = authors.get(String(postId));
      if (!targetId.equals(postId) || author === undefined || author === userId) continue;
      const hour = `${postId}:${createdAt.toISOString().slice(0, 13)}`;
      votes.set(hour, { hour, userId: author, count: (votes.get(hour)?.count ?? 0) + 1 });
    }
    for (const { hour, userId, count } of votes.values()) expectNotice("post_upvoted", hour, userId, count);
    return made.size;
  }),
  promise("every notice that its user wants by mail has one mail", async ({ system: { db } }, expect) => {
    const mailed = new Set((await db.Mail.find({}, { _id: 1 }).lean()).map(({ _id }) => String(_id)));
    for await (const { _id, key, type, mail } of db.Notice.find().lean()) {
      const isMailed = mail && noticeTypes[type as keyof typeof noticeTypes].mail.when !== "digest";
      expect(mailed.has(String(_id)) === isMailed, () => `the notice ${key} ${isMailed ? "lacks a" : "has a"} mail`);
    }
  }),
];
