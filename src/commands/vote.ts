import type { mongo } from "mongoose";
import { bare } from "../models/bare.js";
import type { Models } from "../models/index.js";
import type { TargetKind, Vote } from "../models/vote.js";
import { type Claimed, type Counter, settle, toggleFact } from "./counted-fact.js";

interface Upvoted {
  upvoteCount: number;
}

function voteCounter(models: Models, kind: TargetKind, targetId: mongo.ObjectId): Counter<Upvoted> {
  const model = kind === "post" ? models.CommunityPost : models.CommunityReply;
  return {
    model: model as unknown as Counter<Upvoted>["model"],
    counted: { _id: targetId, state: "in" } as Counter<Upvoted>["counted"],
    add: { upvoteCount: 1 },
    take: { upvoteCount: -1 },
  };
}

/** Ends a vote change that was begun. */
export async function settleVote(models: Models, vote: Claimed<Vote>): Promise<void> {
  await settle(models.Vote, vote, voteCounter(models, vote.targetKind, vote.targetId));
}

/**
 * Gives or takes back somebody's upvote; null when the target is gone. `upvoteCount` is the one right after this
 * change.
 */
export async function toggleVote(
  models: Models,
  userId: string,
  targetKind: TargetKind,
  targetId: mongo.ObjectId,
): Promise<{ upvoteCount: number; isUpvoted: boolean } | null> {
  const toggled = await toggleFact(
    models.Vote,
    { userId, targetKind, targetId },
    voteCounter(models, targetKind, targetId),
  );
  return toggled && { upvoteCount: toggled.counted.upvoteCount, isUpvoted: toggled.on };
}

/** Tells for each of `targetIds` whether somebody has upvoted it, in one query. Nobody has as `undefined`. */
export async function votesOf(
  models: Models,
  userId: string | undefined,
  targetKind: TargetKind,
  targetIds: readonly mongo.ObjectId[],
): Promise<(targetId: mongo.ObjectId) => boolean> {
  if (userId === undefined || targetIds.length === 0) return () => false;
  const given = { userId, targetKind, targetId: { $in: [...targetIds] }, state: { $ne: "removing" as const } };
  const votes = await bare(models.Vote)
    .find(given, { projection: { targetId: 1, _id: 0 } })
    .toArray();
  const upvoted = new Set(votes.map(({ targetId }) => String(targetId)));
  return (targetId) => upvoted.has(String(targetId));
}

const batch = 500;

/** Deletes every vote of some posts or replies; they must not be `in` any more, so that no vote can be added. */
export async function deleteVotes(
  { Vote: Votes }: Models,
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
