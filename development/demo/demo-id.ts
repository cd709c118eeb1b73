import { createHash } from "node:crypto";
import { Types } from "mongoose";
import { dayMs } from "../../src/lib/days.js";

const hashWords = (words: readonly (string | number)[]): string =>
  createHash("sha256")
    .update(`lyceum demo ${words.join(" ")}`)
    .digest("hex");

/** Derives an object id from words, so that a second load finds the documents of the first. */
export const demoId = (...words: readonly (string | number)[]): Types.ObjectId =>
  new Types.ObjectId(hashWords(words).slice(0, 24));

/** Derives a UUID from words. */
export function demoUuid(...words: readonly (string | number)[]): string {
  const hex = hashWords(words);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns a time on an earlier day. For 0 days it is now, so that no demo date lies in the future. */
export const daysAgo = (days: number, hour = 10): Date => {
  const date = new Date(Date.now() - days * dayMs);
  date.setUTCHours(hour, 12, 0, 0);
  return days === 0 ? new Date() : date;
};

/** Options with which Mongoose changes `createdAt`. */
export const withCreationTime = { timestamps: false, overwriteImmutable: true } as const;
