import { mongo } from "mongoose";
import type { Models } from "../models/index.js";
import { replaceMethods } from "./command-methods.js";

/**
 * How long the database may work on one command, in milliseconds. Below the time after which the connection is given up
 * (connection.ts), so that nothing goes on in the database when nothing waits for it any longer.
 */
const commandLimitMs = 2_400;

/**
 * Lets every command of these models carry `maxTimeMS`, whether it is sent through Mongoose or by the driver's own
 * collection. A caller's own `maxTimeMS` stays.
 */
export function limitCommandTimes(models: Models): void {
  for (const { collection } of Object.values(models)) {
    replaceMethods(collection, (method, { optionsAt: at }) => (...given) => {
      const options = given[at] as { maxTimeMS?: number } | undefined;
      const limited = [...given.slice(0, at)];
      limited[at] = { ...options, maxTimeMS: options?.maxTimeMS ?? commandLimitMs };
      return method(...limited);
    });
  }
}

/** True for a command that the database ended because its time was over (code 50). */
export function isTimeLimit(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === 50;
}
