import { Types } from "mongoose";
import { z } from "zod";
import type { CursorKey } from "../lib/read-batches.js";

/*
 * Queries of the four kinds of paged lists:
 * - `pageOrAll`, `byDateOrAll`: `limit` and `after`; without both the whole list.
 * - `newestFirstPage`, `orderedPage`: `limit` and `after`; always a page.
 * - `olderPage`: `limit` and `before`, the id of the last row of the previous page; always a page.
 * - `numberedPage`: `limit` and `page`; without `limit` the whole list.
 */

function limitUpTo(most: number) {
  const refusal = `not 1 to ${most}`;
  return z
    .string()
    .regex(/^\d{1,3}$/, refusal)
    .transform(Number)
    .refine((rows) => rows >= 1 && rows <= most, refusal)
    .meta({ type: "integer", minimum: 1, maximum: most, description: "rows of a page" });
}

const limitOrAll = (most: number) =>
  limitUpTo(most).optional().meta({ description: "rows of a page; absent: the whole list" });

const limitOrUsual = (most: number, usual: number) => limitUpTo(most).prefault(String(usual));

/** Parts of cursors. */
export const cursorDate = z
  .int()
  .min(0)
  .max(8.64e15)
  .transform((milliseconds) => new Date(milliseconds));
export const cursorId = z
  .string()
  .regex(/^[0-9a-f]{24}$/)
  .transform((hex) => new Types.ObjectId(hex));

/** `after` of a page. @param key the values that the list is ordered by. */
const cursorOf = <K extends z.ZodType<CursorKey>>(key: K) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(Buffer.from(text, "base64url").toString());
      } catch {
        context.addIssue({ code: "custom", message: "not a cursor" });
        return z.NEVER;
      }
    })
    .pipe(key)
    .meta({ type: "string", description: "`nextCursor` of the previous page" });

export const pageOrAll = <K extends z.ZodType<CursorKey>>(key: K, most = 500) => ({
  limit: limitOrAll(most),
  after: cursorOf(key).optional(),
});

export const byDateOrAll = pageOrAll(z.tuple([cursorDate, cursorId]));

/** The field beside a list of `pageOrAll`. */
export const nextCursorOfPage = z
  .string()
  .nullable()
  .optional()
  .meta({ description: "`after` of the next page; null at the end, absent with the whole list" });

/** As `newestFirstPage`, for a list in another order. */
export const orderedPage = <K extends z.ZodType<CursorKey>>(key: K, most = 100, usual = 50) => ({
  limit: limitOrUsual(most, usual),
  after: cursorOf(key).optional(),
});

export const newestFirstPage = orderedPage(z.tuple([cursorDate, cursorId]));

/** The field beside a list of `newestFirstPage`. */
export const nextCursor = z.string().nullable().meta({ description: "`after` of the next page; null at the end" });

export const olderPage = (usual: number) => ({
  limit: limitOrUsual(200, usual),
  before: z.string().optional().meta({ description: "`_id` of the last row of the previous page" }),
});

/** The field beside a list of `olderPage`. */
export const nextBefore = z.string().nullable().meta({ description: "`before` of the next page; null at the end" });

/** Without `limit`, `page` may be anything. */
export const numberedPage = {
  limit: limitOrAll(100),
  page: z
    .unknown()
    .optional()
    .meta({ type: "integer", minimum: 1, description: "1 by default; ignored without `limit`" }),
};

/** Whether `page` is a positive number. It may be anything without `limit`. */
export const isNumberedPage = ({ limit, page }: { limit?: number | undefined; page?: unknown }): boolean =>
  limit === undefined || page === undefined || (typeof page === "string" && /^0*[1-9]\d*$/.test(page));
