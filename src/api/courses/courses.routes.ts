import { setImmediate as nextTurn } from "node:timers/promises";
import { Counter } from "prom-client";
import type { z } from "zod";
import type { Deps } from "../../deps.js";
import { clientOf } from "../../http/context.js";
import { encodeCursor } from "../../http/list-reply.js";
import { CompressedJson, sendJson } from "../../http/replies/send-text.js";
import { alreadySent, type RouteGroup, route } from "../../http/route.js";
import { chunk } from "../../lib/chunk.js";
import { normalForm } from "../../lib/normal-form.js";
import { createBrowser } from "../../services/browse/browse-courses.js";
import { catalogOrders, createCatalog } from "../../services/browse/catalog.js";
import {
  type CourseFinder,
  createSlugFinder,
  currentSlug,
  publicChapters,
  viewCourse,
  withoutUnsetFacts,
} from "../../services/courses/course-view.js";
import { structuredDataOf } from "../../services/courses/structured-data.js";
import { CourseNotFound, CourseNotFoundHere } from "../../services/failures.js";
import { type RunSearch, SearchBusy } from "../../services/search-limit.js";
import { CourseSummary } from "../course-shapes.js";
import {
  BrowseQuery,
  BrowseReply,
  CatalogQuery,
  CatalogReply,
  CourseBySlugReply,
  CourseReply,
} from "./courses.schemas.js";

type Summary = z.output<typeof CourseSummary>;

/** Number of courses that are parsed in one turn of the event loop, which takes some milliseconds. */
const coursesPerTurn = 250;

/** The public catalog. */
export function courseGroup({ db, metrics, config }: Deps, findCourse: CourseFinder, runSearch: RunSearch): RouteGroup {
  const builds = new Counter({
    name: "lyceum_catalog_builds_total",
    help: "How often the text of the catalog was made again",
    registers: [metrics],
  });
  const readCatalog = createCatalog(db, async (courses) => {
    builds.inc();
    const summaries: Summary[] = [];
    for (const some of chunk(courses, coursesPerTurn)) {
      summaries.push(...some.map((course) => CourseSummary.parse(course)));
      await nextTurn();
    }
    return { courses, summaries, json: new CompressedJson(JSON.stringify({ success: true, courses: summaries })) };
  });
  const browse = createBrowser(async () => (await readCatalog()).courses, runSearch, config.currency);
  const findBySlug = createSlugFinder(db);
  const base = "/api/course";
  return {
    name: "course",
    base,
    routes: [
      route("get", "/all", {
        operationId: "listCourses",
        summary: "Every published course",
        description: "In creation order unless `sort` says otherwise. Compressed, with a strong `ETag`.",
        access: "public",
        query: CatalogQuery,
        reply: CatalogReply,
        async handle({ query, req, res }) {
          const { summaries, json } = await readCatalog();
          if (!query.q && !query.sort) {
            await json.send(req, res);
            return alreadySent;
          }
          const wanted = query.q?.toLowerCase() ?? "";
          const found = summaries.filter(({ courseTitle, courseDescription }) =>
            [courseTitle, courseDescription].some((text) => normalForm(text).toLowerCase().includes(wanted)),
          );
          // Summaries have passed the reply's schema, so that it is not applied again.
          sendJson(res, { success: true, courses: query.sort ? found.sort(catalogOrders[query.sort]) : found });
          return alreadySent;
        },
      }),
      route("get", "/browse", {
        operationId: "browseCourses",
        summary: "Find published courses",
        description:
          "All words of `q` must match in title, subtitle, tags, educator's name or description. Filters combine. " +
          "A cursor belongs to its query.",
        access: "public",
        query: BrowseQuery,
        reply: BrowseReply,
        errors: [SearchBusy],
        async handle({ query, req, signal }) {
          const { courses, next, ...counts } = await browse(query, clientOf(req), signal);
          const listed = courses.map((course) => withoutUnsetFacts({ ...course, slug: currentSlug(course) }));
          return { courses: listed, ...counts, nextCursor: next ? encodeCursor(next) : null };
        },
      }),
      route("get", "/slug/:slug", {
        operationId: "getCourseBySlug",
        summary: "One course with its curriculum, by its name in addresses",
        description: "A former slug, and one in capitals, is answered with 301 and the address of the present one.",
        access: "public",
        reply: CourseBySlugReply,
        errors: [CourseNotFound],
        async handle({ params, res }) {
          const course = await findBySlug(params.slug.toLowerCase());
          if (!course) throw CourseNotFound();
          const slug = currentSlug(course);
          if (slug !== params.slug) {
            res.redirect(301, `${base}/slug/${slug}`);
            return alreadySent;
          }
          const view = viewCourse(course, publicChapters(course.courseContent));
          return { courseData: { ...view, structuredData: { ...structuredDataOf(view, config) } } };
        },
      }),
      route("get", "/:id", {
        operationId: "getCourse",
        summary: "One course with its curriculum",
        description: "Drafts are included. Only free previews have their video URL.",
        access: "public",
        reply: CourseReply,
        errors: [CourseNotFoundHere],
        async handle({ params }) {
          const course = await findCourse(params.id);
          if (!course) throw CourseNotFoundHere();
          return { courseData: viewCourse(course, publicChapters(course.courseContent)) };
        },
      }),
    ],
  };
}
