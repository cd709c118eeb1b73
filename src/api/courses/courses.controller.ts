import type { z } from "zod";
import type { Deps } from "../../deps.js";
import { cachedReply } from "../../http/cached-reply.js";
import { alreadySent, type RouteRequest } from "../../http/route.js";
import { createCatalog } from "../../services/courses/catalog.js";
import { averageRating, CourseNotFoundHere, courseDetail } from "../../services/courses/course-view.js";
import { findPeople } from "../../services/users/user-cards.js";
import { type CatalogQuery, CatalogReply, type CourseParams } from "./courses.schemas.js";

type Catalog = z.output<typeof CatalogReply>;
type Summary = Catalog["courses"][number];

const orders: Record<NonNullable<z.output<typeof CatalogQuery>["sort"]>, (a: Summary, b: Summary) => number> = {
  newest: (a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0),
  "price-asc": (a, b) => a.coursePrice - b.coursePrice,
  "price-desc": (a, b) => b.coursePrice - a.coursePrice,
  rating: (a, b) => b.averageRating - a.averageRating || b.totalRatings - a.totalRatings,
  popular: (a, b) => b.totalEnrolledStudents - a.totalEnrolledStudents,
};

export function courseController({ db }: Deps) {
  const published = createCatalog(db);
  const catalog = cachedReply(
    () => published.revision(),
    async () => {
      const courses = await published.read();
      const person = await findPeople(
        db,
        courses.map(({ educatorId }) => educatorId),
      );
      const shown = courses.map((course) => ({
        ...course,
        averageRating: averageRating(course),
        educatorId: person(course.educatorId),
      }));
      return { success: true, ...CatalogReply.parse({ courses: shown }) };
    },
  );

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
      // Written directly: the cached catalog is in its written form already.
      res.json({ success: true, courses: query.sort ? found.sort(orders[query.sort]) : found });
      return alreadySent;
    },

    async show({ params }: RouteRequest<z.output<typeof CourseParams>, undefined, undefined, "public">) {
      const courseData = await courseDetail(db, params.id, { hidePaid: true });
      if (!courseData) throw CourseNotFoundHere();
      return { courseData };
    },
  };
}
