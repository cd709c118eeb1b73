import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { BrokenRule } from "../../lib/errors.js";
import { priceBreakdown } from "../payments/price.js";
import type { RunSearch } from "../search-limit.js";
import { createBrowseList, cutBehind, type ListedFacts, type Placed } from "./browse-list.js";
import type { BrowseCourses, WantedCourses } from "./browse-query.js";
import type { CatalogCourse } from "./catalog.js";
import { createCourseSearch } from "./course-search.js";
import { countFacets, facetKeysOf, spellingsOf } from "./facets.js";

/** Answers that are kept until the catalog is read again. */
const maxAnswers = 100;

type Select = ReturnType<typeof createBrowseList>;
type Filters = Omit<WantedCourses, "limit" | "after">;
type Found = ReturnType<typeof countFacets<Placed>>;
type Answer = (query: Filters, digest: string, client: string, signal?: AbortSignal) => Promise<Found>;

interface Indexed extends ListedFacts {
  /** Another one after each edit of the course, and of the educator's name. */
  readonly edition: string;
}

/**
 * Browses the catalog in the memory of the process.
 * @param readCatalog returns another array when the list has changed.
 * @param runSearch runs the search of a client in its turn.
 * @param currency ISO 4217, of the prices.
 */
export function createBrowser(
  readCatalog: () => Promise<readonly CatalogCourse[]>,
  runSearch: RunSearch,
  currency: string,
): BrowseCourses {
  const search = createCourseSearch();
  let spellings = spellingsOf([]);
  const indexed = new Map<string, Indexed>();
  let current: { readonly courses: readonly CatalogCourse[]; readonly answer: Promise<Answer> } | undefined;

  /** Prepares the courses once, after the courses before them. */
  function answerOf(courses: readonly CatalogCourse[]): Promise<Answer> {
    if (current?.courses === courses) return current.answer;
    const before = current?.answer.catch(() => undefined);
    const answer = Promise.resolve(before).then(async () => remember(await prepare(courses)));
    current = { courses, answer };
    return answer;
  }

  /** Keeps the newest answers of one state of the catalog, because many readers send one query, or read its next page. */
  function remember(select: Select): Answer {
    const kept = new LRUCache<string, Found>({ max: maxAnswers });
    async function answer(query: Filters, digest: string): Promise<Found> {
      const known = kept.get(digest);
      if (known) return known;
      const scores = query.q ? await search.find(query.q) : undefined;
      const sort = query.sort === "relevance" && !scores ? "newest" : query.sort;
      const found = countFacets(select(sort, query, scores), query, spellings);
      kept.set(digest, found);
      return found;
    }
    return (query, digest, client, signal) =>
      query.q && !kept.has(digest) ? runSearch(client, () => answer(query, digest), signal) : answer(query, digest);
  }

  /** Indexes the courses that were edited, one in a turn of the event loop. Their figures come from the given courses. */
  async function prepare(courses: readonly CatalogCourse[]): Promise<Select> {
    const gone = new Set(indexed.keys());
    const listed: (ListedFacts & { course: CatalogCourse })[] = [];
    let added = 0;
    for (const course of courses) {
      const id = String(course._id);
      const edition = `${course.version} ${course.updatedAt.getTime()} ${course.educatorId.name}`;
      const known = indexed.get(id);
      const facts = known?.edition === edition ? known : describe(course, id, edition);
      gone.delete(id);
      if (facts !== known) {
        if (known) search.remove(id);
        search.add(course);
        indexed.set(id, facts);
        added += 1;
        await nextTurn();
      }
      listed.push({ ...facts, course });
    }
    for (const id of gone) {
      search.remove(id);
      indexed.delete(id);
      await nextTurn();
    }
    if (added > 0 || gone.size > 0) spellings = spellingsOf(courses);
    return createBrowseList(listed);
  }

  const describe = (course: CatalogCourse, id: string, edition: string): Indexed => ({
    id,
    edition,
    priceMinor: priceBreakdown({ course, buyer: null, currency }).totalMinor,
    keys: facetKeysOf(course),
  });

  return async ({ limit, after, ...query }, client, signal) => {
    const digest = digestOf(query);
    if (after && after[0] !== digest) throw BrokenRule("query.after: not a cursor of this query");
    const answer = await answerOf(await readCatalog());
    const { found, facets } = await answer(query, digest, client, signal);
    const { page, hasMore } = cutBehind(found, query.sort, after, limit);
    const last = page.at(-1);
    return {
      courses: page.map(({ course }) => course),
      total: found.length,
      facets,
      next: hasMore && last ? [digest, ...last.values, last.course._id] : undefined,
    };
  };
}

/** A short name of a query, so that another query refuses its cursors. */
function digestOf(query: Filters): string {
  const { q, category, tag, level, language, free, minRating, educatorId, sort } = query;
  const parts = [q, category, tag, level, language, free, minRating, educatorId, sort];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 12);
}
