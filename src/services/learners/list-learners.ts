import type { QueryFilter, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { behind, findAfter } from "../../db/ordered-list.js";
import { emailForms } from "../../lib/email-address.js";
import { textPattern, wholeTextPattern } from "../../lib/text-pattern.js";
import { type Enrollment, inForce } from "../../models/enrollments/enrollment.js";
import { activeSince, describeLearners, type LearnerState, type TaughtCourse } from "./learner-views.js";

export const learnerSorts = ["enrolled", "active", "progress"] as const;
export type LearnerSort = (typeof learnerSorts)[number];

export interface LearnerQuery {
  readonly state?: LearnerState | undefined;
  /** Part of a name in any case, or a whole e-mail address. */
  readonly q?: string | undefined;
  readonly sort: LearnerSort;
}

/** A number, because a cursor has to fit every order: a date in milliseconds, or completed lectures. */
type Place = [by: number, _id: Types.ObjectId];

const fieldOf = { enrolled: "enrolledAt", active: "lastActiveAt", progress: "lecturesDone" } as const;

/** Lists the learners of a course in the order of an index, always descending. */
export function listLearners(db: Db, course: TaughtCourse, { state, q, sort: by }: LearnerQuery) {
  const field = fieldOf[by];
  const sort = { [field]: -1, _id: -1 } as const;
  const boundOf = (place: Place) => (by === "progress" ? place[0] : new Date(place[0]));
  return {
    async find(place: Place | undefined, limit: number): Promise<Enrollment[]> {
      const filter = { courseId: course._id, ...inForce(), ...inState(state) };
      const after = place && [boundOf(place), place[1]];
      if (!q) return findAfter(db.Enrollment, { filter, sort, after, limit });
      // The database reads the profiles of learners in their order, until the page is full.
      const emails = q.includes("@") ? emailForms(q).map((form) => ({ "users.email": wholeTextPattern(form) })) : [];
      const users = { from: db.User.collection.name, localField: "userId", foreignField: "_id", as: "users" };
      return db.Enrollment.aggregate<Enrollment>([
        { $match: { $and: [filter, behind(sort, after)] } },
        { $sort: sort },
        { $lookup: users },
        { $match: { $or: [{ "users.name": textPattern(q) }, ...emails] } },
        { $limit: limit },
        { $project: { users: 0 } },
      ]);
    },
    keyOf: (row: Enrollment): Place => [Number(row[field]), row._id],
    describe: (rows: readonly Enrollment[]) => describeLearners(db, course, rows),
  };
}

/** Filters the learners of a state. Whether a learner is active or stalled depends on the clock. */
function inState(state: LearnerState | undefined): QueryFilter<Enrollment> {
  switch (state) {
    case undefined:
      return {};
    case "completed":
      return { phase: "completed" };
    case "active":
      return { phase: { $in: ["begun", "reset"] }, lastActiveAt: { $gt: activeSince() } };
    case "stalled":
      return { phase: "begun", lastActiveAt: { $lte: activeSince() } };
    case "not_started":
      return { phase: { $in: ["not_started", "reset"] }, lastActiveAt: { $lte: activeSince() } };
  }
}
