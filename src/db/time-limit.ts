import { mongo } from "mongoose";

/** True for a command that the database ended because its time was over (code 50). */
export function isTimeLimit(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === 50;
}
