import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { bare } from "../../models/bare.js";

/** Whether somebody holds an active seat in a course now. Never cached: a purchase counts at once, a refund too. */
export async function isEnrolled(db: Db, userId: string, courseId: string | Types.ObjectId): Promise<boolean> {
  const seat = { userId, courseId: new Types.ObjectId(courseId), active: true };
  return (await bare(db.Enrollment).findOne(seat, { projection: { _id: 1 } })) !== null;
}
