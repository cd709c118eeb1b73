import { mongo } from "mongoose";
import type { Models } from "../models/index.js";

/**
 * How long the database may work on one command, in milliseconds. Below the time after which the connection is given up
 * (connection.ts), so that nothing goes on in the database when nothing waits for it any longer.
 */
const commandLimitMs = 2_400;

/** Every method by which Mongoose and the driver send commands of requests: at which place it takes its options. */
const optionsAt = {
  find: 1,
  findOne: 1,
  aggregate: 1,
  countDocuments: 1,
  estimatedDocumentCount: 0,
  distinct: 2,
  insertOne: 1,
  insertMany: 1,
  updateOne: 2,
  updateMany: 2,
  replaceOne: 2,
  bulkWrite: 1,
  deleteOne: 1,
  deleteMany: 1,
  findOneAndUpdate: 2,
  findOneAndDelete: 1,
  findOneAndReplace: 2,
} as const;

type Method = (...given: unknown[]) => unknown;

/**
 * Lets every command of these models carry `maxTimeMS`, whether it is sent through Mongoose or by the driver's own
 * collection. A caller's own `maxTimeMS` stays.
 */
export function limitCommandTimes(models: Models): void {
  for (const { collection } of Object.values(models)) {
    const methods = collection as unknown as Record<string, Method>;
    for (const [name, at] of Object.entries(optionsAt)) {
      const method = methods[name]?.bind(collection);
      if (!method) throw new Error(`the collection has no method ${name}`);
      methods[name] = (...given) => {
        const options = given[at] as { maxTimeMS?: number } | undefined;
        const limited = [...given.slice(0, at)];
        limited[at] = { ...options, maxTimeMS: options?.maxTimeMS ?? commandLimitMs };
        return method(...limited);
      };
    }
  }
}

/** True for a command that the database ended because its time was over (code 50). */
export function isTimeLimit(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === 50;
}
