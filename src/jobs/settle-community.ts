import type { Model, QueryFilter } from "mongoose";
import { settleMembership } from "../commands/community-groups.js";
import { settlePost } from "../commands/community-posts.js";
import { settleReply } from "../commands/community-replies.js";
import { type Claimed, claimLastsMs, takeOver } from "../commands/counted-fact.js";
import { auditResolution } from "../commands/reports.js";
import { settleVote } from "../commands/vote.js";
import type { Deps } from "../deps.js";
import type { CountedFact } from "../models/counted-fact.js";
import type { Report } from "../models/report.js";
import type { Job } from "./scheduler.js";

const batch = 100;

/**
 * Ends what a crash or a lost database left half-done in the community: votes, memberships, replies and posts that are
 * not counted yet, or counted still, removed posts whose replies and votes are not all gone, and resolved reports that
 * are not in the audit trail.
 */
export function settleCommunity({ db, log }: Pick<Deps, "db" | "log">): Job {
  const kinds = (signal: AbortSignal) => [
    () => settleAbandoned(db.Vote, (vote) => settleVote(db, vote)),
    () => settleAbandoned(db.GroupMembership, (membership) => settleMembership(db, membership)),
    () => settleAbandoned(db.CommunityReply, (reply) => settleReply(db, reply, () => !signal.aborted)),
    () => settleAbandoned(db.CommunityPost, (post) => settlePost(db, post, () => !signal.aborted)),
    auditResolutions,
  ];

  async function auditResolutions() {
    const before = new Date(Date.now() - claimLastsMs);
    const resolved = await db.Report.find({ "unaudited.since": { $lte: before } })
      .limit(batch)
      .lean<Report[]>();
    for (const report of resolved) await auditResolution(db, report);
    return resolved.length;
  }

  /**
   * One batch; what fails keeps the new claim and is tried again when that has lapsed.
   * @returns how many were found.
   */
  async function settleAbandoned<F extends CountedFact>(facts: Model<F>, end: (fact: Claimed<F>) => Promise<void>) {
    const before = new Date(Date.now() - claimLastsMs);
    const abandoned = await facts
      .find({ unsettledSince: { $lte: before } } as QueryFilter<F>)
      .sort({ unsettledSince: 1 })
      .limit(batch)
      .lean<Claimed<F>[]>();
    for (const fact of abandoned) {
      const taken = await takeOver(facts, fact);
      if (!taken) continue;
      await end(taken).catch((error: unknown) => {
        log.warn({ kind: facts.modelName, id: String(fact._id), cause: String(error) }, "could not be settled yet");
      });
    }
    return abandoned.length;
  }

  return {
    name: "settle-community",
    everyMs: 3_000,
    async run(signal) {
      let settled = 0;
      for (const settle of kinds(signal)) {
        let found = batch;
        while (found === batch && !signal.aborted) {
          found = await settle();
          settled += found;
        }
      }
      return settled > 0 ? `settled ${settled} community changes` : undefined;
    },
  };
}
