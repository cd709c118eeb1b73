import type { mongo } from "mongoose";
import type { Db } from "../db/db.js";
import { bare } from "../models/bare.js";
import type { TargetKind, Vote } from "../models/vote.js";
import { type Claimed, type Counter, settle, toggleFact } from "./counted-fact.js";

interface Upvoted {
  upvoteCount: number;
}

function voteCounter(db: Db, kind: TargetKind, targetId: mongo.ObjectId): Counter<Upvoted> {
  const model = kind === "post" ? db.CommunityPost : db.CommunityReply;
  return {
    model: model as unknown as Counter<Upvoted>["model"],
    counted: { _id: targetId, state: "in" } as Counter<Upvoted>["counted"],
    add: { upvoteCount: 1 },
    take: { upvoteCount: -1 },
  };
}

/** Ends a vote change that was begun. */
export async function settleVote(db: Db, vote: Claimed<Vote>): Promise<void> {
  await settle(db.Vote, vote, voteCounter(db, vote.targetKind, vote.targetId));
}

/**
 * Gives or takes back somebody's upvote; null when the target is gone. `upvoteCount` is the one right after this
 * change.
 */
export async function toggleVote(
  db: Db,
  userId: string,
  targetKind: TargetKind,
  targetId: mongo.ObjectId,
): Promise<{ upvoteCount: number; isUpvoted: boolean } | null> {
  const toggled = await toggleFact(db.Vote, { userId, targetKind, targetId }, voteCounter(db, targetKind, targetId));
  return toggled && { upvoteCount: toggled.counted.upvoteCount, isUpvoted: toggled.on };
}

/** Tells for each of `targetIds` whether somebody has upvoted it, in one query. Nobody has as `undefined`. */
export async function votesOf(
  db: Db,
  userId: string | undefined,
  targetKind: TargetKind,
  targetIds: readonly mongo.ObjectId[],
): Promise<(targetId: mongo.ObjectId) => boolean> {
  if (userId === undefined || targetIds.length === 0) return () => false;
  const given = { userId, targetKind, targetId: { $in: [...targetIds] }, state: { $ne: "removing" as const } };
  const votes = await bare(db.Vote)
    .find(given, { projection: { targetId: 1, _id: 0 } })
    .toArray();
  const upvoted = new Set(votes.map(({ targetId }) => String(targetId)));
  return (targetId) => upvoted.has(String(targetId));
}

const batch = 500;

/** Deletes every vote of some posts or replies; they must not be `in` any more, so that no vote can be added. */
export async function deleteVotes(
  { Vote: Votes }: Db,
  targetKind: TargetKind,
  targetIds: readonly mongo.ObjectId[],
  stillMay: () => Promise<boolean>,
): Promise<boolean> {
  const filter = { targetKind, targetId: { $in: [...targetIds] } };
  for (;;) {
    const votes = await Votes.find(filter, { _id: 1 }).limit(batch).batchSize(batch).lean();
    if (votes.length > 0) await Votes.deleteMany({ _id: { $in: votes.map(({ _id }) => _id) } });
    if (votes.length < batch) return true;
    if (!(await stillMay())) return false;
  }
}
