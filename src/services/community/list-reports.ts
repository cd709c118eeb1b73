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

/** Finds the reported posts and replies in two queries by id; null for a removed one. */
async function findTargets({ CommunityPost: Posts, CommunityReply: Replies }: Db, reports: readonly Report[]) {
  const idsOf = (kind: Report["targetKind"]) =>
    reports.filter(({ targetKind }) => targetKind === kind).map(({ targetId }) => targetId);
  const shown = { authorId: 1, authorName: 1, content: 1 };
  const [posts, replies] = await Promise.all([
    Posts.find({ _id: { $in: idsOf("post") } }, { ...shown, title: 1 }).lean(),
    Replies.find({ _id: { $in: idsOf("reply") } }, shown).lean(),
  ]);
  const targets = [...posts, ...replies.map((reply) => ({ ...reply, title: null }))];
  const known = new Map(targets.map((target) => [String(target._id), target]));
  return ({ targetId }: Report) => known.get(String(targetId)) ?? null;
}
