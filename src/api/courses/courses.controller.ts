import type { z } from "zod";
import type { Deps } from "../../deps.js";
import { cachedReply } from "../../http/replies/cached-reply.js";
import { sendJson } from "../../http/replies/send-text.js";
import { alreadySent, type RouteRequest } from "../../http/route.js";
import type { ListedCourse } from "../../models/courses/course-queries.js";
import { createCatalog } from "../../services/courses/catalog.js";
import type { CourseCaches } from "../../services/courses/course-cache.js";
import { averageRating } from "../../services/courses/course-view.js";
import { CourseNotFoundHere } from "../../services/courses/failures.js";
import type { UserCard } from "../../services/users/user-cards.js";
import { CourseSummary } from "../course-shapes.js";
import { catalogMetrics } from "./catalog-metrics.js";
import type { CatalogQuery, CourseParams } from "./courses.schemas.js";

type Summary = z.output<typeof CourseSummary>;

const orders: Record<NonNullable<z.output<typeof CatalogQuery>["sort"]>, (a: Summary, b: Summary) => number> = {
  newest: (a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0),
  "price-asc": (a, b) => a.coursePrice - b.coursePrice,
  "price-desc": (a, b) => b.coursePrice - a.coursePrice,
  rating: (a, b) => b.averageRating - a.averageRating || b.totalRatings - a.totalRatings,
  popular: (a, b) => b.totalEnrolledStudents - a.totalEnrolledStudents,
};

export function catalogController({ db, metrics }: Deps, { catalogState, courses: cache }: CourseCaches) {
  const published = createCatalog(db);
  /** Each course as it is shown is made once, until it or its educator changes. */
  const made = new WeakMap<ListedCourse, { educator: UserCard; summary: Summary; text: string }>();
  const summaryOf = (course: ListedCourse) => {
    const educator = published.educator(course.educatorId);
    const before = made.get(course);
    if (before?.educator === educator) return before;
    const shown = { ...course, averageRating: averageRating(course), educatorId: educator };
    const summary = CourseSummary.parse(shown);
    const now = { educator, summary, text: JSON.stringify(summary) };
    made.set(course, now);
    return now;
  };
  const catalog = cachedReply({
    revision: async () => (await catalogState()).name,
    refresh: () => published.refreshFigures(),
    count: catalogMetrics(metrics),
    async build() {
      const shown = (await published.read()).map(summaryOf);
      const courses = shown.map(({ summary }) => summary);
      const text = `{"success":true,"courses":[${shown.map((one) => one.text).join(",")}]}`;
      return { value: { courses }, text };
    },
  });

  return {
    async list({ query, req, res }: RouteRequest<undefined, z.output<typeof CatalogQuery>, undefined, "public">) {
      if (!query.q && !query.sort) {
        await catalog.send(req, res);
        return alreadySent;
      }
      const { courses } = await catalog.current();
      const wanted = query.q?.toLowerCase() ?? "";
      const found = courses.filter(({ courseTitle, courseDescription }) =>
        [courseTitle, courseDescription].some((text) => text.toLowerCase().includes(wanted)),
      );
      // The cached catalog is in its written form already.
      sendJson(res, { success: true, courses: query.sort ? found.sort(orders[query.sort]) : found });
      return alreadySent;
    },

    async show({ params }: RouteRequest<z.output<typeof CourseParams>, undefined, undefined, "public">) {
      const courseData = await cache.detail(params.id, { hidePaid: true });
      if (!courseData) throw CourseNotFoundHere();
      return { courseData };
    },
  };
}
