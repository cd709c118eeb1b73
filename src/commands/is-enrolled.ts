import { Types } from "mongoose";
import { bare } from "../models/bare.js";
import type { Models } from "../models/index.js";

/** Whether somebody holds an active seat in a course now. Never cached: a purchase counts at once, a refund too. */
export async function isEnrolled(models: Models, userId: string, courseId: string | Types.ObjectId): Promise<boolean> {
  const seat = { userId, courseId: new Types.ObjectId(courseId), active: true };
  return (await bare(models.Enrollment).findOne(seat, { projection: { _id: 1 } })) !== null;
}
