import type { Db } from "../../db/db.js";
import { newestFirst } from "../../db/ordered-list.js";
import type { Report } from "../../models/community/report.js";
import { userCards } from "../users/user-cards.js";

/** Reports in one state, or in both, newest first, each with its reporter and what was reported. */
export function reportsNewestFirst(db: Db, state = "all") {
  const filter = state === "all" ? {} : { state: { $eq: state as Report["state"] } };
  return newestFirst(db.Report, {
    filter,
    async describe(reports) {
      const [card, target] = await Promise.all([
        userCards(
          db,
          reports.map(({ reporterId }) => reporterId),
        ),
        findTargets(db, reports),
      ]);
      return reports.map((report) => ({ ...report, reporter: card(report.reporterId), target: target(report) }));
    },
  });
}

/** Finds what was reported by a query for each kind; null for what was removed. */
async function findTargets(db: Db, reports: readonly Report[]) {
  const { CommunityPost: Posts, CommunityReply: Replies, CourseRating: Ratings } = db;
  const idsOf = (kind: Report["targetKind"]) =>
    reports.filter(({ targetKind }) => targetKind === kind).map(({ targetId }) => targetId);
  const [postIds, replyIds, reviewIds] = [idsOf("post"), idsOf("reply"), idsOf("review")];
  const shown = { authorId: 1, authorName: 1, content: 1 };
  const reviewed = { _id: { $in: reviewIds }, review: { $exists: true } };
  const [posts, replies, reviews] = await Promise.all([
    postIds.length > 0 ? Posts.find({ _id: { $in: postIds } }, { ...shown, title: 1 }).lean() : [],
    replyIds.length > 0 ? Replies.find({ _id: { $in: replyIds } }, shown).lean() : [],
    reviewIds.length > 0 ? Ratings.find(reviewed, { userId: 1, review: 1 }).lean() : [],
  ]);
  const cardOf = await userCards(
    db,
    reviews.map(({ userId }) => userId),
  );
  const targets = [
    ...posts,
    ...replies.map((reply) => ({ ...reply, title: null })),
    ...reviews.map(({ _id, userId: authorId, review: content = "" }) => {
      return { _id, authorId, authorName: cardOf(authorId).name, title: null, content };
    }),
  ];
  const known = new Map(targets.map((target) => [String(target._id), target]));
  return ({ targetId }: Report) => known.get(String(targetId)) ?? null;
}
