import { mongo } from "mongoose";

/** True for a write that a unique index refused (code 11000). */
export function isDuplicateKey(error: unknown): error is mongo.MongoServerError {
  return error instanceof mongo.MongoServerError && error.code === 11000;
}

/** True for a command that the database ended because its time was over (code 50). */
export function isTimeLimit(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === 50;
}
