import type { Db } from "../db/db.js";
import type { Job, Work } from "./job.js";

/** Reads when each kind of work is due first, all by one command. @returns the dates in the order of `kinds`. */
export async function firstDates(
  db: Db,
  kinds: readonly Pick<Work, "model" | "first">[],
): Promise<(Date | undefined)[]> {
  const firsts = kinds.map((kind) => kind.first());
  const [own, ...others] = firsts.map(({ coll, pipeline }, kind) => ({
    coll,
    pipeline: [...pipeline, { $addFields: { kind: { $literal: kind } } }],
  }));
  const [model] = kinds.map((kind) => db[kind.model]);
  if (!own || !model) return [];
  const stages = [...own.pipeline, ...others.map((other) => ({ $unionWith: other }))];
  const found = await model.aggregate<{ kind: number; at: Date }>(stages);
  const dates = new Map(found.map(({ kind, at }) => [kind, at.getTime() + (firsts[kind]?.afterMs ?? 0)]));
  return firsts.map(({ ifNone }, kind) => {
    const date = dates.get(kind);
    return date === undefined ? ifNone : new Date(date);
  });
}

/** Reads when the earliest work of each job is due. @returns the dates in the order of `jobs`. */
export async function pollJobs(db: Db, jobs: readonly Job[]): Promise<(Date | undefined)[]> {
  const dates = await firstDates(
    db,
    jobs.flatMap(({ kinds }) => kinds),
  );
  return jobs.map(({ kinds }) => earliest(dates.splice(0, kinds.length)));
}

export const earliest = (dates: readonly (Date | undefined)[]): Date | undefined =>
  dates.filter((date) => date !== undefined).sort((a, b) => a.getTime() - b.getTime())[0];
