import type { Types } from "mongoose";
import type { Db } from "../db/db.js";
import type { Purchase } from "../models/purchase.js";
import { changeCatalog } from "./catalog-revision.js";
import { type Change, countOnce, forgetKeys } from "./count-once.js";
import { toMinor } from "./price.js";
import type { Seat } from "./settle-enrollment.js";

/** A change of a fact that the totals follow: worth +1 or −1. */
interface Step {
  readonly key: string;
  readonly sign: 1 | -1;
}

/** What is to be moved in the money and enrollment totals of a course, its day and the platform. */
export interface Moves {
  readonly courseId: Types.ObjectId;
  readonly course: readonly Change[];
  readonly platform: readonly Change[];
  readonly day: { readonly name: string; readonly changes: readonly Change[] };
  /** Whether the catalog shows it: the number of students, not the money. */
  readonly shown: boolean;
}

/** A held purchase and a held enrollment, or one of them, of a course. */
export interface Moved {
  readonly courseId: Types.ObjectId;
  readonly sale?: Sale | undefined;
  readonly seat?: Seat | undefined;
}

/** A purchase in the hands of one caller. */
export interface Sale {
  readonly purchase: Purchase;
  /** Somebody who was at it before may have moved a part: its keys stay where they are. */
  readonly takenOver: boolean;
}

export function movesOf({ courseId, sale, seat }: Moved): Moves {
  const seats = seat ? seatSteps(seat) : [];
  const sales = sale ? saleSteps(sale) : [];
  const minor = toMinor(sale?.purchase.amount ?? 0);
  const day = sale?.purchase.completedAt ?? sale?.purchase.createdAt;
  return {
    courseId,
    course: [
      ...seats.map(({ key, sign }) => ({ key, inc: { totalEnrolledStudents: sign } })),
      ...sales.map(({ key, sign }) => ({ key, inc: { revenueMinor: sign * minor, completedPurchases: sign } })),
    ],
    platform: [
      ...seats.map(({ key, sign }) => ({ key, inc: { enrollments: sign } })),
      ...sales.map(({ key, sign }) => ({ key, inc: { revenueMinor: sign * minor } })),
    ],
    day: {
      name: day?.toISOString().slice(0, 10) ?? "",
      changes: sales.map(({ key, sign }) => ({ key, inc: { revenueMinor: sign * minor } })),
    },
    shown: seats.length > 0,
  };
}

/** Odd changes activate, even ones revoke: so each is worth the same, whoever counts it and when. */
function seatSteps({ enrollment: { _id, change, countedChange } }: Seat): Step[] {
  const steps: Step[] = [];
  for (let next = countedChange + 1; next <= change; next += 1) {
    steps.push({ key: `${_id}:${next}`, sign: next % 2 === 1 ? 1 : -1 });
  }
  return steps;
}

/** A completed purchase is in the totals; a refunded one is no longer, or never was. */
function saleSteps({ purchase: { _id, status, wasCounted }, takenOver }: Sale): Step[] {
  const into: Step = { key: `${_id}:completed`, sign: 1 };
  const out: Step = { key: `${_id}:refunded`, sign: -1 };
  if (status === "completed") return [into];
  if (wasCounted) return [out];
  return takenOver ? [into, out] : [];
}

/** Moves the totals, each once however often it is repeated. */
export async function moveTotals(db: Db, { courseId, course, platform, day, shown }: Moves): Promise<void> {
  const countCourse = () => countOnce(db.Course, { _id: courseId }, course);
  await Promise.all([
    shown ? changeCatalog(db, countCourse) : countCourse(),
    countOnce(db.PlatformTotals, { _id: "platform" }, platform, { fresh: { revenueMinor: 0, enrollments: 0 } }),
    countOnce(db.RevenueDay, { _id: day.name }, day.changes, { fresh: {} }),
  ]);
}

/** The last step, once whatever moved the totals is marked as counted by whoever held it undisturbed. Never fails. */
export async function forgetMoves(db: Db, { courseId, course, platform, day }: Moves): Promise<void> {
  const keys = (changes: readonly Change[]) => changes.map(({ key }) => key);
  await Promise.allSettled([
    forgetKeys(db.Course, { _id: courseId }, keys(course)),
    forgetKeys(db.PlatformTotals, { _id: "platform" }, keys(platform)),
    forgetKeys(db.RevenueDay, { _id: day.name }, keys(day.changes)),
  ]);
}
