import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Grant } from "../../models/enrollments/grant.js";
import { ofPath, type Purchase } from "../../models/payments/purchase.js";
import { completionOf, daysAfter } from "./access.js";

/** One completed purchase, or one active grant, of a path: what gives a learner its courses. Each is judged by itself. */
export interface PathHolding {
  readonly pathId: Types.ObjectId;
  /** The courses that the learner got, in order, and until when; null: for good. */
  readonly courses: readonly { readonly courseId: Types.ObjectId; readonly until: Date | null }[];
  /** Whether the courses open one after another. */
  readonly inOrder: boolean;
  readonly since: Date;
}

type PathSale = Pick<Purchase, "completedAt" | "createdAt" | "terms" | "pathId">;
type PathGrant = Pick<Grant, "pathId" | "courses" | "inOrder" | "expiresAt" | "createdAt" | "activeSince">;

/**
 * Finds what a learner holds of paths, the newest first, whether or not its time is over.
 * @param which of one path, or of all paths that give a course.
 */
export async function findPathHoldings(
  db: Db,
  userId: string,
  which: { readonly pathId: Types.ObjectId } | { readonly courseId: Types.ObjectId } | undefined,
  session: ClientSession | null = null,
): Promise<PathHolding[]> {
  const ofWhich = which && "pathId" in which ? which : ofPath;
  const courseId = which && "courseId" in which ? which.courseId : undefined;
  const sold = { userId, ...ofWhich, status: "completed" as const };
  const sales = await db.Purchase.find(
    { ...sold, ...(courseId && { "terms.courses.courseId": courseId }) },
    { pathId: 1, terms: 1, completedAt: 1, createdAt: 1 },
  )
    .session(session)
    .lean<PathSale[]>();
  const given = { userId, courseId: null, ...ofWhich, state: "active" as const };
  const grants = await db.Grant.find(
    { ...given, ...(courseId && { courses: courseId }) },
    { pathId: 1, courses: 1, inOrder: 1, expiresAt: 1, createdAt: 1, activeSince: 1 },
  )
    .session(session)
    .lean<PathGrant[]>();
  const holdings = [...sales.map(heldBySale), ...grants.map(heldByGrant)];
  return holdings.toSorted((a, b) => b.since.getTime() - a.since.getTime());
}

const heldBySale = (sale: PathSale): PathHolding => ({
  pathId: sale.pathId as Types.ObjectId,
  courses: (sale.terms.courses ?? []).map(({ courseId, accessDays }) => ({
    courseId,
    until: daysAfter(completionOf(sale), accessDays),
  })),
  inOrder: sale.terms.inOrder ?? false,
  since: completionOf(sale),
});

const heldByGrant = (grant: PathGrant): PathHolding => ({
  pathId: grant.pathId as Types.ObjectId,
  courses: (grant.courses ?? []).map((courseId) => ({ courseId, until: grant.expiresAt })),
  inOrder: grant.inOrder ?? false,
  since: grant.activeSince ?? grant.createdAt,
});
