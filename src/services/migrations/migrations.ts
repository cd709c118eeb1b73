import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { withLease } from "../../db/lease.js";
import { isObjectId } from "../../lib/fields.js";
import { cursorLimitMs } from "../../models/command-limit.js";
import { inCreationOrder } from "../../models/courses/course.js";
import { addCourseFigures, makeUnrenderedDue } from "../../models/courses/course-queries.js";
import { countStars, totalsOf } from "../../models/courses/star-counts.js";
import { endNoticeAt } from "../../models/enrollments/enrollment.js";
import { dropFormerGrantKey } from "../../models/enrollments/grant.js";
import { dropFormerKey } from "../../models/learning/certificate.js";
import type { PaymentEvent } from "../../models/payments/payment-event.js";
import { reviewReasons } from "../../models/payments/purchase.js";
import { findFreeSlug } from "../find-free-slug.js";

/** One change of stored data. Servers of the version before run beside it, and after a crash it runs again. */
export interface MigrationStep {
  /** Begins with its number, `0001-…`, and never changes. */
  readonly name: string;
  up(db: Db, lost: AbortSignal): Promise<void>;
}

/** Every migration, in the order in which they run. */
export const migrations: readonly MigrationStep[] = [
  {
    // Texts of lessons that a version without stored HTML has saved. A job renders them.
    name: "0001-render-lessons",
    up: makeUnrenderedDue,
  },
  {
    // Enrollments and grants of users whom a version has erased that kept their access.
    name: "0002-end-enrollments-of-erased-users",
    async up(db, lost) {
      const erased = { userId: /^deleted_/ };
      for (;;) {
        lost.throwIfAborted();
        const found = await db.Enrollment.findOne({ ...erased, active: true }, { courseId: 1 }).lean();
        if (!found) break;
        const { courseId } = found;
        await db.transaction((session) => endErased(db, courseId, session), { mutex: `course:${courseId}` });
      }
      const ended = { $set: { state: "ended" as const } };
      const options = { timestamps: false };
      await db.Grant.updateMany({ ...erased, state: "active" }, ended, options).maxTimeMS(cursorLimitMs);
    },
  },
  {
    name: "0003-webhooks-of-keys",
    async up({ Webhook, AuditEntry }) {
      for await (const { _id } of Webhook.find({ keyId: { $exists: false } }, { _id: 1 })
        .maxTimeMS(cursorLimitMs)
        .lean()) {
        const creation = { targetKind: "webhook", targetId: String(_id), action: "webhook.create" };
        const entry = await AuditEntry.findOne(creation, { by: 1 }).lean();
        if (entry?.by) await Webhook.updateOne({ _id }, { $set: { keyId: entry.by.id } }, { timestamps: false });
      }
    },
  },
  {
    // Purchases that may have a second order had a time of their own to ask the provider.
    name: "0004-ask-about-second-orders",
    async up({ Purchase }) {
      const asked = { secondAttemptAt: "$createdAt", nextCheckAt: { $ifNull: ["$nextCheckAt", "$orphanCheckAt"] } };
      const options = { timestamps: false, strict: false, updatePipeline: true };
      await Purchase.updateMany({ orphanCheckAt: { $exists: true } } as object, [{ $set: asked }], options).maxTimeMS(
        cursorLimitMs,
      );
    },
  },
  {
    // Learners are told of the end of an access that a version without notices has given.
    name: "0005-tell-of-ending-access",
    async up({ Enrollment }) {
      const ending = { active: true, expiresAt: { $gt: new Date() }, noticeDueAt: { $exists: false } };
      for await (const { _id, expiresAt } of Enrollment.find(ending, { expiresAt: 1 })
        .maxTimeMS(cursorLimitMs)
        .lean()) {
        const due = expiresAt && { $set: { noticeDueAt: endNoticeAt(expiresAt) } };
        if (due) await Enrollment.updateOne({ _id, expiresAt }, due, { timestamps: false });
      }
    },
  },
  {
    name: "0006-slugs-of-courses",
    up: giveSlugs,
  },
  {
    // The numbers of ratings by their stars, which a version without reviews has not counted.
    name: "0007-distribution-of-ratings",
    up: countRatings,
  },
  {
    // A version before counted the ratings of hidden reviews.
    name: "0008-figures-without-hidden-reviews",
    up: countRatings,
  },
  {
    // A version before put events of known purchases in review as well. What they say becomes a flag of the purchase.
    name: "0009-flags-of-events-in-review",
    async up(db, lost) {
      const inReview = { state: "review" as const, reviewReason: { $in: [...reviewReasons] } };
      const events = db.PaymentEvent.find(inReview, { body: 0 }).maxTimeMS(cursorLimitMs);
      for await (const event of events.lean<PaymentEvent>()) {
        lost.throwIfAborted();
        await flagInstead(db, event);
      }
    },
  },
  {
    // A learner of a former version had one certificate of a course.
    name: "0010-several-certificates-of-a-course",
    up: (db) => dropFormerKey(db, "userId_1_courseId_1"),
  },
  {
    // Certificates of paths have no course.
    name: "0011-certificates-of-paths",
    up: (db) => dropFormerKey(db, "userId_1_courseId_1_ordinal_1"),
  },
  {
    // An address of a former version had one waiting grant of a course, and one without a course.
    name: "0012-waiting-grants-of-paths",
    up: dropFormerGrantKey,
  },
];

/** Flags the purchase of an event in review, unless it is flagged, and closes the event. */
async function flagInstead(db: Db, event: Omit<PaymentEvent, "body">): Promise<void> {
  const { _id, eventKey, paymentId, refundId, reviewReason: reason, createdAt: at } = event;
  const payment = await db.Payment.findById(paymentId ?? "", { purchaseId: 1 }).lean();
  const find = async (id: string) => (isObjectId(id) ? await db.Purchase.findById(id, { _id: 1 }).lean() : null);
  const purchase = (await find(event.purchaseId ?? "")) ?? (await find(String(payment?.purchaseId)));
  const closed = { state: "processed" as const, outcome: "known now", reviewReason: null };
  const result = purchase ? closed : { reviewReason: "unknown_purchase" as const };
  if (purchase && reason !== null && reason !== "unreadable" && reason !== "unknown_purchase") {
    const isOfRefund = reason === "partial_refund" || reason === "refund_failed";
    const subject = (isOfRefund ? refundId : paymentId) ?? eventKey;
    // The flag of a dispute names its phase.
    const same = reason === "disputed" ? { reason } : { reason, subject };
    const flag = { reason, subject, eventKey, at, state: "open" as const, note: null, by: null, settledAt: null };
    await db.Purchase.updateOne(
      { _id: purchase._id, reviews: { $not: { $elemMatch: same } } },
      { $push: { reviews: flag }, $set: { reviewReason: reason } },
      { timestamps: false },
    );
  }
  await db.PaymentEvent.updateOne({ _id, state: "review" }, { $set: result }, { timestamps: false });
}

/** Counts the ratings of every course anew. */
async function countRatings(db: Db, lost: AbortSignal): Promise<void> {
  const rated = db.Course.find({ totalRatings: { $gt: 0 } }, { _id: 1 })
    .maxTimeMS(cursorLimitMs)
    .lean();
  for await (const { _id } of rated) {
    lost.throwIfAborted();
    await db.transaction(
      async (session) => {
        const counts = await countStars(db, _id, session);
        const figures = { ...counts, ...totalsOf(counts) };
        await db.Course.updateOne({ _id }, { $set: figures }, { session, timestamps: false });
      },
      { mutex: `course:${_id}` },
    );
  }
}

/** Ends up to 500 enrollments of erased users in a course. */
async function endErased(db: Db, courseId: Types.ObjectId, session: ClientSession): Promise<void> {
  const erased = { userId: /^deleted_/, courseId, active: true };
  const found = await db.Enrollment.find(erased, { _id: 1 }).limit(500).session(session).lean();
  const those = { _id: { $in: found.map(({ _id }) => _id) } };
  const ended = { $set: { active: false, grants: 0, revokedAt: new Date() } };
  await db.Enrollment.updateMany(those, ended, { session, timestamps: false });
  await addCourseFigures(db, courseId, { totalEnrolledStudents: -found.length }, session);
}

/** Lists the migrations that have not run on this database. */
export async function pendingMigrations(db: Db, all = migrations): Promise<string[]> {
  const ran = new Set(await findMigrations(db));
  return all.map(({ name }) => name).filter((name) => !ran.has(name));
}

/**
 * Runs the pending migrations in their order, under a lease.
 * @returns their names; undefined while another process migrates.
 */
export function runMigrations(db: Db, all = migrations): Promise<string[] | undefined> {
  const work = async (lost: AbortSignal) => (await (await umzug(db, all, lost)).up()).map(({ name }) => name);
  return withLease(db, "migrations", work, { ttlMs: 30_000 });
}

/** The names of the migrations that have run. */
const findMigrations = async (db: Db): Promise<string[]> =>
  (await db.Migration.find().sort({ _id: 1 }).lean()).map(({ _id }) => _id);

async function umzug(db: Db, all: readonly MigrationStep[], lost: AbortSignal) {
  // Servers only ask what is pending.
  const { Umzug } = await import("umzug");
  return new Umzug({
    migrations: all.map(({ name, up }) => ({
      name,
      async up() {
        lost.throwIfAborted();
        await up(db, lost);
      },
    })),
    storage: {
      executed: () => findMigrations(db),
      async logMigration({ name: _id }) {
        await db.Migration.create({ _id, ranAt: new Date() });
      },
      async unlogMigration({ name: _id }) {
        await db.Migration.deleteOne({ _id });
      },
    },
    logger: undefined,
  });
}

/** Gives slugs to the courses that a version without slugs has stored. */
export async function giveSlugs(db: Db, lost?: AbortSignal): Promise<void> {
  const slugs = { $exists: false };
  const nameless = db.Course.find({ slugs }, { courseTitle: 1 }).sort(inCreationOrder).maxTimeMS(cursorLimitMs).lean();
  for await (const course of nameless) {
    lost?.throwIfAborted();
    await db.transaction(
      async (session) => {
        const { _id, courseTitle: title } = course;
        const { slug } = await findFreeSlug(db.Course, "course", { _id, title }, session);
        const options = { session, timestamps: false };
        await db.Course.updateOne({ _id: course._id, slugs }, { $set: { slugs: [slug] } }, options);
      },
      { mutex: "catalog" },
    );
  }
}
