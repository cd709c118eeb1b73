import type { ClientSession, mongo } from "mongoose";
import { isDuplicateKey } from "../../db/database-errors.js";
import type { Db } from "../../db/db.js";
import { newestFirst } from "../../db/ordered-list.js";
import { failure } from "../../lib/errors.js";
import type { Report, TargetKind } from "../../models/community/report.js";
import { type Actor, audited } from "../audit/record-audit.js";
import { userCards } from "../users/user-cards.js";

export const ReportNotFound = failure("report_not_found", 404, "Report not found");

/** Files a report. While it is open, a further report of the same user and target changes nothing. */
export async function fileReport(
  db: Db,
  report: Pick<Report, "reporterId" | "targetKind" | "targetId" | "postId" | "courseId" | "reason">,
): Promise<void> {
  try {
    await db.Report.create(report);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

export const resolvedBy = ({ userId }: Actor) => ({
  $set: { state: "resolved", resolvedBy: userId, resolvedAt: new Date() } as const,
});

/** Marks a report as resolved; repeating that changes nothing. Audited. @throws ReportNotFound */
export function resolveReport(db: Db, _id: mongo.ObjectId, moderator: Actor): Promise<void> {
  return db.transaction(async (session) => {
    const { matchedCount } = await db.Report.updateOne({ _id, state: "open" }, resolvedBy(moderator), { session });
    if (matchedCount > 0) {
      await audited(db, session, moderator, "community.report.resolve", ["community.report", _id]);
    } else if (!(await db.Report.exists({ _id }).session(session))) {
      throw ReportNotFound();
    }
  });
}

/**
 * Records an administrator's removal in the audit trail and resolves the open reports that it answers. Part of the
 * transaction that removes.
 * @param reported selects the reports; those of a post include the reports of its replies.
 */
export async function recordRemoval(
  db: Db,
  session: ClientSession,
  moderator: Actor,
  kind: Exclude<TargetKind, "review">,
  { _id, authorId }: { _id: mongo.ObjectId; authorId: string },
  reported: { postId: mongo.ObjectId; targetId?: mongo.ObjectId },
): Promise<void> {
  await db.Report.updateMany({ ...reported, state: "open" }, resolvedBy(moderator), { session });
  await audited(db, session, moderator, `community.${kind}.remove`, [`community.${kind}`, _id], {
    before: { authorId },
  });
}

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
