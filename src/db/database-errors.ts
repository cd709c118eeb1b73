import { mongo } from "mongoose";

/** True for a write that a unique index refused (code 11000). */
export function isDuplicateKey(error: unknown): error is mongo.MongoServerError {
  return error instanceof mongo.MongoServerError && error.code === 11000;
}

/** True for a command that the database ended because its time was over (code 50). */
export function isTimeLimit(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === 50;
}

/** True when the database did not answer, so that other commands would fail too. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof mongo.MongoNetworkError || error instanceof mongo.MongoServerSelectionError) return true;
  return error instanceof mongo.MongoError && error.cause !== undefined && isDatabaseAway(error.cause);
}
