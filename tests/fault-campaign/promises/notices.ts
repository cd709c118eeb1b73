import { causesIn, noticeSources } from "../../../src/services/notices/make-notices.js";
import { noticesOfEvents, noticeTypes } from "../../../src/services/notices/notice-types.js";
import { type Promised, promise } from "./promise.js";

export const ofNotices: readonly Promised[] = [
  promise("every event, document, reply and upvote gives its user one notice", async ({ system: { db } }, expect) => {
    for (const source of noticeSources) {
      const isDue = await causesIn(db, source).exists({ noticeDueAt: { $gt: new Date(0), $lte: new Date() } });
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
    const profiles = new Set((await db.User.find({}, { _id: 1 }).lean()).map(({ _id }) => _id));
    const expected = new Map<string, Set<string>>();
    /** `one`: what the notice counts once. */
    const expectNotice = (type: string, cause: string, userId: string, one = cause): void => {
      // Deleted and erased users get none.
      if (!profiles.has(userId)) return;
      const key = `${type}:${cause}:${userId}`;
      expected.set(key, (expected.get(key) ?? new Set()).add(one));
    };
    const hourOf = (id: unknown, at: Date): string => `${id}:${at.toISOString().slice(0, 13)}`;
    for await (const { _id, type, at, data, courseId, educatorId, actorId } of db.Event.find({
      seq: { $gt: 0 },
    }).lean()) {
      const notice = noticesOfEvents.get(type);
      const own = String(data.userId);
      const userId = notice?.to === "the user" ? own : educatorId;
      if (!notice || !userId || (notice.to === "the educator" && [own, actorId].includes(userId))) continue;
      const cause = notice.type === "review_written" ? hourOf(courseId, at) : String(_id);
      expectNotice(notice.type, cause, userId, own);
    }
    const types = { invoice: "purchase_receipt", "credit-note": "purchase_refunded" };
    for await (const { _id, kind, purchaseId } of db.Invoice.find().lean()) {
      const purchase = await db.Purchase.findById(purchaseId).lean();
      if (purchase) expectNotice(types[kind], String(_id), purchase.userId);
    }
    const authors = new Map(
      (await db.CommunityPost.find({}, { authorId: 1 }).lean()).map(({ _id, authorId }) => [String(_id), authorId]),
    );
    for await (const { _id, postId, authorId, createdAt } of db.CommunityReply.find().lean()) {
      const author = authors.get(String(postId));
      if (author === undefined || author === authorId) continue;
      expectNotice("reply_to_post", hourOf(postId, createdAt), author, String(_id));
    }
    for await (const { postId, targetId, userId, createdAt } of db.Vote.find().lean()) {
      const author = authors.get(String(postId));
      if (!targetId.equals(postId) || author === undefined || author === userId) continue;
      expectNotice("post_upvoted", hourOf(postId, createdAt), author, userId);
    }
    for (const [key, { size }] of expected) {
      expect((made.get(key) ?? 0) >= size, () => `${key} counts ${made.get(key) ?? "nothing"}, expected ${size}`);
    }
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
