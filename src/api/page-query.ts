import { z } from "zod";
import { cursorDate, cursorId, limitUpTo, pageQuery } from "../http/pages.js";

const mostRows = 100;
const usualRows = 50;

const limit = limitUpTo(mostRows)
  .prefault(String(usualRows))
  .meta({ type: "integer", minimum: 1, maximum: mostRows, default: usualRows, description: "rows of a page" });

/** `limit` and `after` of a list that is always answered a page at a time, newest first. */
export const newestFirstPage = { ...pageQuery(z.tuple([cursorDate, cursorId])), limit };

/** Stands beside the list. */
export const nextCursor = z.string().nullable().meta({ description: "`after` of the next page; null at the end" });
