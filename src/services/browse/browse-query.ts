import type { Types } from "mongoose";
import type { CatalogCourse } from "./catalog.js";
import type { FacetCounts, FacetFilter } from "./facets.js";

export const browseSorts = ["relevance", "newest", "popular", "rating", "price-asc", "price-desc"] as const;

/** The place of a course in the list of one query: a digest of the query, the values of its order, and the id. */
export type Place = [query: string, first: number, second: number, _id: Types.ObjectId];

export interface CourseFilter extends FacetFilter {
  readonly free?: boolean | undefined;
  readonly minRating?: number | undefined;
  readonly educatorId?: string | undefined;
}

export interface WantedCourses extends CourseFilter {
  readonly q?: string | undefined;
  /** `relevance` without words in `q` is `newest`. */
  readonly sort: (typeof browseSorts)[number];
  readonly limit: number;
  readonly after?: Place | undefined;
}

export interface BrowsePage {
  readonly courses: readonly CatalogCourse[];
  /** Number of courses on all pages. */
  readonly total: number;
  readonly facets: FacetCounts;
  readonly next: Place | undefined;
}

/**
 * Finds published courses for a client. For more courses, a search engine implements this function (docs/scale.md).
 * @param signal aborts when the client has left. @throws SearchBusy.
 */
export type BrowseCourses = (query: WantedCourses, client: string, signal?: AbortSignal) => Promise<BrowsePage>;
