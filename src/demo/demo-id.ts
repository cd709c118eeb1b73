import { createHash } from "node:crypto";
import { Types } from "mongoose";

/** The same object id for the same words at every load: a repeat finds what the first one made. */
export const demoId = (...words: readonly (string | number)[]): Types.ObjectId =>
  new Types.ObjectId(
    createHash("sha256")
      .update(`lyceum demo ${words.join(" ")}`)
      .digest("hex")
      .slice(0, 24),
  );

/** UUID of the same kind. */
export function demoUuid(...words: readonly (string | number)[]): string {
  const hex = createHash("sha256")
    .update(`lyceum demo ${words.join(" ")}`)
    .digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export const daysAgo = (days: number, hour = 10): Date => {
  const date = new Date(Date.now() - days * 86_400_000);
  date.setUTCHours(hour, 12, 0, 0);
  return days === 0 ? new Date() : date;
};
