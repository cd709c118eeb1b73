import type { CourseFilter, Place, WantedCourses } from "./browse-query.js";
import type { CatalogCourse } from "./catalog.js";
import type { FacetKeys } from "./facets.js";

/** What orders a course in a list. */
export type Values = readonly [first: number, second: number];
type Sort = WantedCourses["sort"];

/** What queries compare, as long as nobody edits the course. */
export interface ListedFacts {
  readonly id: string;
  /** After the discount. */
  readonly priceMinor: number;
  readonly keys: FacetKeys;
}

type Listed = ListedFacts & { readonly course: CatalogCourse };

/** A course in an order. */
export type Placed = Listed & { readonly values: Values };

/** The values of each order, always descending. Equal courses follow each other by their ids, the newest first. */
const orders: Record<Exclude<Sort, "relevance">, (listed: Listed) => Values> = {
  newest: ({ course }) => [course.createdAt.getTime(), 0],
  popular: ({ course }) => [course.totalEnrolledStudents, 0],
  rating: ({ course }) => [course.averageRating, course.totalRatings],
  "price-asc": ({ priceMinor }) => [-priceMinor, 0],
  "price-desc": ({ priceMinor }) => [priceMinor, 0],
};

/**
 * The courses of one state of the catalog. Each order is made when a query first needs it.
 * @returns a function that selects courses in an order. Its `scores` are those of a search, undefined without a search.
 */
export function createBrowseList(all: readonly Listed[]) {
  const ordered = new Map<Sort, Placed[]>();

  function inOrder(sort: keyof typeof orders): Placed[] {
    const known = ordered.get(sort);
    if (known) return known;
    const placed = all.map((listed) => ({ ...listed, values: orders[sort](listed) })).sort(compare);
    ordered.set(sort, placed);
    return placed;
  }

  return (sort: Sort, filter: CourseFilter, scores?: ReadonlyMap<string, Values>): Placed[] => {
    if (sort !== "relevance") {
      return inOrder(sort).filter((listed) => scores?.has(listed.id) !== false && fits(listed, filter));
    }
    const found = all.filter((listed) => scores?.has(listed.id) && fits(listed, filter));
    return found.map((listed): Placed => ({ ...listed, values: scores?.get(listed.id) ?? [0, 0] })).sort(compare);
  };
}

const fits = ({ course, priceMinor }: Listed, { free, minRating = 0, educatorId }: CourseFilter): boolean =>
  (free === undefined || free === (priceMinor === 0)) &&
  course.averageRating >= minRating &&
  (educatorId === undefined || course.educatorId._id === educatorId);

const compare = (a: Pick<Placed, "id" | "values">, b: Pick<Placed, "id" | "values">): number =>
  b.values[0] - a.values[0] || b.values[1] - a.values[1] || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

/**
 * Cuts the page behind a place, or the first one. Relevance depends on all courses, so that the place is looked for by its
 * course as long as that is found.
 */
export function cutBehind(found: readonly Placed[], sort: Sort, after: Place | undefined, limit: number) {
  const page = found.slice(beginBehind(found, sort, after)).slice(0, limit);
  return { page, hasMore: page.length > 0 && page.at(-1) !== found.at(-1) };
}

function beginBehind(found: readonly Placed[], sort: Sort, after: Place | undefined): number {
  if (!after) return 0;
  const place = { id: String(after[3]), values: [after[1], after[2]] as const };
  const at = sort === "relevance" ? found.findIndex(({ id }) => id === place.id) : -1;
  if (at >= 0) return at + 1;
  const next = found.findIndex((placed) => compare(placed, place) > 0);
  return next < 0 ? found.length : next;
}
