import { Types } from "mongoose";
import type { Purchase } from "#server/models/payments/purchase.js";
import { isPseudonym } from "#server/services/privacy/pseudonym.js";
import { type EventRule, type Expected, once, type Subject } from "./event-rule.js";
import { learnerRule, pathCertificateRule } from "./learner-events.js";

const idsOf = (subjects: readonly Subject[]) => ({ $in: subjects.map(({ _id }) => new Types.ObjectId(String(_id))) });
const usersOf = (subjects: readonly Subject[]) => subjects.flatMap(({ userId }) => userId ?? []);

const purchases: EventRule = {
  types: ["purchase.completed", "purchase.refunded"],
  model: "Purchase",
  subjectOfRow: ({ _id, userId = "" }) => (isPseudonym(userId) ? undefined : { key: String(_id), _id, userId }),
  subjectOfEvent: ({ purchaseId = "", userId = "" }) => ({ key: purchaseId, _id: purchaseId, userId }),
  eventsOf: (subjects) => ({ userIds: { $in: usersOf(subjects) } }),
  keysOf: ({ type, data }) => [[`${type} ${data.purchaseId}`, 1]],
  async expect(db, subjects, since, session) {
    const rows = await db.Purchase.find({ _id: idsOf(subjects) })
      .session(session ?? null)
      .lean<Purchase[]>();
    const expected = new Map<string, Expected>();
    for (const { _id, userId, status, completedAt, refundedAt, failedBecause, formerPaymentIds = [] } of rows) {
      const subject = { key: String(_id), _id, userId };
      // Each payment completes the purchase once. A signed payment that was not captured is undone.
      const max = 1 + formerPaymentIds.length + 1;
      const isPaid = status === "completed" || status === "refunded";
      if (isPaid || failedBecause === "not_captured") {
        expected.set(`purchase.completed ${_id}`, { subject, min: isPaid ? once(completedAt, since) : 0, max });
      }
      const isRefunded = status === "refunded";
      if (!isRefunded && formerPaymentIds.length === 0) continue;
      expected.set(`purchase.refunded ${_id}`, { subject, min: isRefunded ? once(refundedAt, since) : 0, max });
    }
    return expected;
  },
};

/** The rule of what has versions: courses, and paths. */
const versionRule = (kind: "course" | "path"): EventRule => ({
  types: [`${kind}.published`, `${kind}.unpublished`, `${kind}.changed`],
  model: kind === "course" ? "Course" : "Path",
  subjectOfRow: ({ _id }) => ({ key: String(_id), _id }),
  // A path may have been deleted.
  subjectOfEvent: ({ courseId = "" }) => (kind === "course" ? { key: courseId, _id: courseId } : undefined),
  eventsOf: (subjects) =>
    kind === "course" ? { courseId: idsOf(subjects) } : { "data.pathId": { $in: subjects.map(({ key }) => key) } },
  keysOf: ({ type, data }) => {
    const version = `${kind === "course" ? data.courseId : data.pathId} ${data.version}`;
    return [`${kind} ${version}`, `${type} ${version}`].map((key) => [key, 1] as const);
  },
  async expect(db, subjects, since, session) {
    const model = kind === "course" ? db.Course : (db.Path as unknown as typeof db.Course);
    const rows = await model
      .find({ _id: idsOf(subjects) }, { version: 1, createdAt: 1 })
      .session(session ?? null)
      .lean();
    const expected = new Map<string, Expected>();
    for (const { _id, version, createdAt } of rows) {
      const subject = { key: String(_id), _id };
      for (let one = 1; one <= version; one += 1) {
        // The first version has an event if it was published. An edit that publishes has two.
        expected.set(`${kind} ${_id} ${one}`, { subject, min: one === 1 ? 0 : once(createdAt, since), max: 2 });
        for (const type of this.types) expected.set(`${type} ${_id} ${one}`, { subject, min: 0, max: 1 });
      }
    }
    return expected;
  },
});

const pathsCompleted: EventRule = {
  types: ["path.completed"],
  model: "PathEnrollment",
  filter: { completedAt: { $ne: null } },
  subjectOfRow: ({ userId = "" }) => (isPseudonym(userId) ? undefined : { key: userId, userId }),
  subjectOfEvent: ({ userId = "" }) => ({ key: userId, userId }),
  eventsOf: (subjects) => ({ userIds: { $in: usersOf(subjects) } }),
  keysOf: ({ type, data }) => [[`${type} ${data.userId} ${data.pathId}`, 1]],
  async expect(db, subjects, since, session) {
    const completed = { userId: { $in: usersOf(subjects) }, completedAt: { $ne: null } };
    const rows = await db.PathEnrollment.find(completed, { userId: 1, pathId: 1, completedAt: 1 })
      .session(session ?? null)
      .lean();
    return new Map(
      rows.map(({ userId, pathId, completedAt }) => {
        const subject = { key: userId, userId };
        return [`path.completed ${userId} ${pathId}`, { subject, min: once(completedAt, since), max: 1 }];
      }),
    );
  },
};

const users: EventRule = {
  types: ["user.created", "application.decided"],
  model: "Account",
  filter: { newestEvent: { $exists: true } },
  subjectOfRow: ({ _id }) => ({ key: String(_id), userId: String(_id) }),
  subjectOfEvent: ({ userId = "" }) => ({ key: userId, userId }),
  eventsOf: (subjects) => ({ userIds: { $in: usersOf(subjects) } }),
  keysOf: ({ type, data }) => [[[type, data.userId, data.status].filter(Boolean).join(" "), 1]],
  async expect(db, subjects, since, session = undefined) {
    const _id = { $in: usersOf(subjects) };
    const options = { ...(session && { session }) };
    const accounts = await db.Account.find({ _id, newestEvent: { $exists: true } }, { _id: 1 }, options).lean();
    const profiles = await db.User.find({ _id }, { createdAt: 1 }, options).lean();
    const decided = await db.EducatorApplication.find(
      { userId: _id },
      { userId: 1, status: 1, createdAt: 1 },
      options,
    ).lean();
    const known = new Set(accounts.map((account) => account._id));
    const expected = new Map<string, Expected>();
    const max = Number.POSITIVE_INFINITY;
    for (const userId of known) {
      const subject = { key: userId, userId };
      expected.set(`user.created ${userId}`, { subject, min: 0, max });
    }
    for (const { _id: userId, createdAt } of profiles) {
      const subject = { key: userId, userId };
      expected.set(`user.created ${userId}`, { subject, min: known.has(userId) ? once(createdAt, since) : 0, max });
    }
    const withProfile = new Set(profiles.map((profile) => profile._id));
    for (const { userId, status, createdAt } of decided) {
      const min = withProfile.has(userId) ? once(createdAt, since) : 0;
      const now = status === "approving" ? "approved" : status;
      // After a rejection a user may apply again.
      for (const each of ["approved", "rejected"]) {
        const key = `application.decided ${userId} ${each}`;
        expected.set(key, { subject: { key: userId, userId }, min: each === now ? min : 0, max });
      }
    }
    return expected;
  },
};

const imports: EventRule = {
  types: ["import.finished"],
  model: "EnrollmentImport",
  subjectOfRow: ({ _id }) => ({ key: String(_id), _id }),
  subjectOfEvent: ({ importId = "" }) => ({ key: importId, _id: importId }),
  eventsOf: (subjects) => ({ "data.importId": { $in: subjects.map(({ key }) => key) } }),
  keysOf: ({ data }) => [[`import.finished ${data.importId}`, 1]],
  async expect(db, subjects, since, session) {
    const rows = await db.EnrollmentImport.find({ _id: idsOf(subjects), state: "done" }, { finishedAt: 1 })
      .session(session ?? null)
      .lean();
    return new Map(
      rows.map(({ _id, finishedAt }) => {
        const subject = { key: String(_id), _id };
        return [`import.finished ${_id}`, { subject, min: once(finishedAt, since), max: 1 }];
      }),
    );
  },
};

const erasures: EventRule = {
  types: ["user.erased"],
  model: "Erasure",
  filter: { erasedAt: { $exists: true } },
  subjectOfRow: ({ _id }) => ({ key: String(_id), _id }),
  // The request is removed when the erasure is done.
  subjectOfEvent: () => undefined,
  eventsOf: (subjects) => ({ "data.userId": { $in: subjects.map(({ key }) => key) } }),
  keysOf: ({ data }) => [[`user.erased ${data.userId}`, 1]],
  async expect(db, subjects, since, session) {
    const ids = { $in: subjects.map(({ key }) => key) };
    const rows = await db.Erasure.find({ _id: ids, erasedAt: { $exists: true } }, { erasedAt: 1 })
      .session(session ?? null)
      .lean();
    const max = Number.POSITIVE_INFINITY;
    return new Map(
      rows.map(({ _id, erasedAt }) => [
        `user.erased ${_id}`,
        { subject: { key: _id, _id }, min: once(erasedAt, since), max },
      ]),
    );
  },
};

/** All rules. Each type of event is in one of them. */
export const eventRules: readonly EventRule[] = [
  purchases,
  learnerRule,
  pathCertificateRule,
  versionRule("course"),
  versionRule("path"),
  pathsCompleted,
  users,
  imports,
  erasures,
];
