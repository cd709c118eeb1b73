import { createHash } from "node:crypto";
import { BrokenRule } from "../../lib/errors.js";
import type { CatalogCourse } from "../courses/catalog.js";
import { createBrowseList, cutBehind } from "./browse-list.js";
import type { BrowseCourses, BrowseQuery } from "./browse-query.js";
import { createCourseSearch } from "./course-search.js";
import { countFacets } from "./facets.js";

/**
 * Browses the catalog in the memory of the process.
 * @param readCatalog returns another array when the list has changed. @param currency of the prices, ISO 4217.
 */
export function createBrowser(readCatalog: () => Promise<readonly CatalogCourse[]>, currency: string): BrowseCourses {
  const search = createCourseSearch();
  let current: { readonly courses: readonly CatalogCourse[]; readonly list: Promise<BrowseList> } | undefined;

  /** Indexes the courses once, after the courses before them. */
  function listOf(courses: readonly CatalogCourse[]): Promise<BrowseList> {
    if (current?.courses === courses) return current.list;
    const before = current?.list.catch(() => undefined);
    const list = Promise.resolve(before)
      .then(() => search.update(courses))
      .then(() => createBrowseList(courses, currency));
    current = { courses, list };
    return list;
  }

  return async ({ limit, after, ...query }) => {
    const list = await listOf(await readCatalog());
    const scores = query.q ? search.find(query.q) : undefined;
    const sort = query.sort === "relevance" && !scores ? "newest" : query.sort;
    const digest = digestOf({ ...query, sort });
    if (after && after[0] !== digest) throw BrokenRule("query.after: not a cursor of this query");
    const { found, facets } = countFacets(list.select(sort, query, scores), query);
    const { page, hasMore } = cutBehind(found, after, limit);
    const last = page.at(-1);
    return {
      courses: page.map(({ course }) => course),
      total: found.length,
      facets,
      next: hasMore && last ? [digest, ...last.values, last.course._id] : undefined,
    };
  };
}

type BrowseList = ReturnType<typeof createBrowseList>;

/** A short name of a query, so that another query refuses its cursors. */
function digestOf({
  q,
  category,
  tag,
  level,
  language,
  free,
  minRating,
  educatorId,
  sort,
}: Partial<BrowseQuery>): string {
  const parts = [q, category, tag, level, language, free, minRating, educatorId, sort];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 12);
}
