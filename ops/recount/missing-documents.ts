import type { Db } from "#server/db/db.js";
import { newestFirst } from "#server/db/ordered-list.js";
import { utcDay } from "#server/lib/days.js";
import { readBatches } from "#server/lib/read-batches.js";
import { uncounted } from "#server/models/events/event.js";
import { type Purchase, soldId } from "#server/models/payments/purchase.js";

type Sale = Pick<Purchase, "_id" | "userId" | "courseId" | "pathId" | "createdAt" | "completedAt">;

const dayOf = ({ completedAt }: Sale): string => (completedAt ? utcDay(completedAt) : "");

/**
 * Finds completed purchases without an enrollment, or a hold on its path, or without daily sales. The transaction that completes a purchase
 * writes the enrollment, and the event that is counted. So a finding means that somebody removed documents by hand.
 */
export async function* missingDocuments(db: Db): AsyncGenerator<string> {
  const fields = { userId: 1, courseId: 1, pathId: 1, completedAt: 1, status: 1, createdAt: 1 } as const;
  const sales = newestFirst<Purchase, Sale>(db.Purchase, { filter: { status: "completed" }, fields });
  for await (const rows of readBatches(sales)) {
    const suspects = await withoutDocuments(db, rows);
    // A purchase may have changed between the queries. A transaction sees one moment.
    for (const { _id } of suspects) {
      yield* await db.transaction(async (session) => {
        const sale = await db.Purchase.findOne({ _id, status: "completed" }, fields).session(session).lean<Sale>();
        if (!sale) return [];
        const { userId, pathId } = sale;
        const courseId = soldId(sale);
        const enrolled = pathId
          ? await db.PathEnrollment.exists({ userId, pathId }).session(session)
          : await db.Enrollment.exists({ userId, courseId }).session(session);
        const waiting = { ...uncounted, "data.purchaseId": String(_id) };
        const counted =
          (await db.CourseDailySales.exists({ courseId, day: dayOf(sale) }).session(session)) ??
          (await db.Event.exists(waiting).session(session));
        return [
          ...(enrolled ? [] : [`purchase ${_id} is completed, and its learner has no enrollment`]),
          ...(counted ? [] : [`purchase ${_id} is completed, and its day is not counted`]),
        ];
      });
    }
  }
}

async function withoutDocuments(db: Db, rows: readonly Sale[]): Promise<Sale[]> {
  const courseId = { $in: rows.map(soldId) };
  const userId = { $in: rows.map((row) => row.userId) };
  const pairs = [
    ...(await db.Enrollment.find({ userId, courseId }, { userId: 1, courseId: 1 }).lean()),
    ...(await db.PathEnrollment.find({ userId, pathId: courseId }, { userId: 1, pathId: 1 }).lean()),
  ];
  const days = await db.CourseDailySales.find(
    { courseId, day: { $in: rows.map(dayOf) } },
    { courseId: 1, day: 1 },
  ).lean();
  const enrolled = new Set(pairs.map((pair) => `${pair.userId} ${"pathId" in pair ? pair.pathId : pair.courseId}`));
  const counted = new Set(days.map((one) => `${one.day} ${one.courseId}`));
  return rows.filter(
    (row) => !enrolled.has(`${row.userId} ${soldId(row)}`) || !counted.has(`${dayOf(row)} ${soldId(row)}`),
  );
}
