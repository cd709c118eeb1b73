import type { CatalogCourse } from "../courses/catalog.js";
import { priceBreakdown } from "../payments/price.js";
import type { BrowseQuery, CourseFilter, Place } from "./browse-query.js";
import { type FacetKeys, facetKeysOf } from "./facets.js";

type Values = readonly [first: number, second: number];
type Sort = BrowseQuery["sort"];

/** A course with what queries compare. */
interface Listed {
  readonly course: CatalogCourse;
  readonly id: string;
  /** After the discount. */
  readonly priceMinor: number;
  readonly keys: FacetKeys;
}

/** A course in an order. */
type Placed = Listed & { readonly values: Values };

/** The values of each order, always descending. Equal courses follow each other by their ids, the newest first. */
const orders: Record<Exclude<Sort, "relevance">, (listed: Listed) => Values> = {
  newest: ({ course }) => [course.createdAt.getTime(), 0],
  popular: ({ course }) => [course.totalEnrolledStudents, 0],
  rating: ({ course }) => [course.averageRating, course.totalRatings],
  "price-asc": ({ priceMinor }) => [-priceMinor, 0],
  "price-desc": ({ priceMinor }) => [priceMinor, 0],
};

/** The courses of one state of the catalog. Each order is made when a query first asks for it. */
export function createBrowseList(courses: readonly CatalogCourse[], currency: string) {
  const all = courses.map(
    (course): Listed => ({
      course,
      id: String(course._id),
      priceMinor: priceBreakdown(course, currency).totalMinor,
      keys: facetKeysOf({ ...course, tag: course.tags }),
    }),
  );
  const ordered = new Map<Sort, Placed[]>();

  function inOrder(sort: keyof typeof orders): Placed[] {
    const known = ordered.get(sort);
    if (known) return known;
    const placed = all.map((listed) => ({ ...listed, values: orders[sort](listed) })).sort(compare);
    ordered.set(sort, placed);
    return placed;
  }

  /** @param scores of the courses that a search has found; undefined without a search. */
  const select = (sort: Sort, filter: CourseFilter, scores?: ReadonlyMap<string, number>): Placed[] => {
    if (sort !== "relevance") {
      return inOrder(sort).filter((listed) => scores?.has(listed.id) !== false && fits(listed, filter));
    }
    const found = all.filter((listed) => scores?.has(listed.id) && fits(listed, filter));
    return found.map((listed): Placed => ({ ...listed, values: [scores?.get(listed.id) ?? 0, 0] })).sort(compare);
  };
  return { select };
}

const fits = ({ course, priceMinor }: Listed, { free, minRating = 0, educatorId }: CourseFilter): boolean =>
  (free === undefined || free === (priceMinor === 0)) &&
  course.averageRating >= minRating &&
  (educatorId === undefined || course.educatorId._id === educatorId);

const compare = (a: Pick<Placed, "id" | "values">, b: Pick<Placed, "id" | "values">): number =>
  b.values[0] - a.values[0] || b.values[1] - a.values[1] || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

/** Cuts the page behind a place, or the first one. */
export function cutBehind(found: readonly Placed[], after: Place | undefined, limit: number) {
  const place = after && { id: String(after[3]), values: [after[1], after[2]] as const };
  const begin = place ? found.findIndex((placed) => compare(placed, place) > 0) : 0;
  const page = begin < 0 ? [] : found.slice(begin, begin + limit);
  return { page, hasMore: page.length > 0 && page.at(-1) !== found.at(-1) };
}
