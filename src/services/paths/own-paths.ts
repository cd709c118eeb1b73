import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { distinct } from "../../lib/distinct.js";
import type { Course } from "../../models/courses/course.js";
import { type Enrollment, inForce, isInForce } from "../../models/enrollments/enrollment.js";
import { activeEnrollmentFields } from "../../models/enrollments/enrollment-queries.js";
import type { Path } from "../../models/paths/path.js";
import type { PathEnrollment } from "../../models/paths/path-enrollment.js";
import { findPathHoldings, type PathHolding } from "../enrollments/path-holdings.js";
import { findCompletedCourses, isHeld } from "./complete-paths.js";
import { findCourseLocks } from "./course-lock.js";

type ListedCourse = Pick<Course, "_id" | "courseTitle" | "courseThumbnail" | "totalLectures" | "educatorId">;
type OwnEnrollment = Pick<Enrollment, "courseId" | "lecturesDone" | keyof typeof activeEnrollmentFields>;

const byId = <T extends { readonly _id: unknown }>(rows: readonly T[]) =>
  new Map(rows.map((row) => [String(row._id), row]));

/** Lists the paths that a learner holds, oldest first, with their progress. It sends a fixed number of commands. */
export async function listOwnPaths(db: Db, userId: string) {
  const held = await db.PathEnrollment.find({ userId, ...inForce() })
    .sort({ enrolledAt: 1, _id: 1 })
    .lean<PathEnrollment[]>();
  if (held.length === 0) return [];
  const holdings = newestOfEach(await findPathHoldings(db, userId, undefined));
  const pathIds = held.map(({ pathId }) => pathId);
  const lists = pathIds.map((pathId) => holdings.get(String(pathId))?.courses ?? []);
  const courseIds = distinct(lists.flat().map(({ courseId }) => courseId));
  const [paths, courses, enrollments, completed, certificates] = await Promise.all([
    db.Path.find({ _id: { $in: pathIds } }, { slugs: 1, title: 1, inOrder: 1 }).lean<Path[]>(),
    db.Course.find(
      { _id: { $in: courseIds } },
      { courseTitle: 1, courseThumbnail: 1, totalLectures: 1, educatorId: 1 },
    ).lean<ListedCourse[]>(),
    db.Enrollment.find(
      { userId, courseId: { $in: courseIds } },
      { courseId: 1, lecturesDone: 1, ...activeEnrollmentFields },
    ).lean<OwnEnrollment[]>(),
    findCompletedCourses(db, userId, courseIds),
    db.Certificate.find({ userId, courseId: null, pathId: { $in: pathIds } }, { pathId: 1, certificateId: 1 })
      .sort({ ordinal: 1 })
      .lean(),
  ]);
  const [pathOf, courseOf] = [byId(paths), byId(courses)];
  const enrollmentOf = new Map(enrollments.map((one) => [String(one.courseId), one]));
  const certificateOf = new Map(certificates.map(({ pathId, certificateId }) => [String(pathId), certificateId]));
  const active = enrollments.filter((enrollment) => isInForce(enrollment));
  const enrolled = new Set(active.map(({ courseId }) => String(courseId)));
  const owned = active.map((one) => ({ ...one, educatorId: courseOf.get(String(one.courseId))?.educatorId ?? "" }));
  const locks = await findCourseLocks(db, userId, owned);

  const showCourse = (courseId: Types.ObjectId) => {
    const [key, course] = [String(courseId), courseOf.get(String(courseId))];
    return {
      courseId,
      courseTitle: course?.courseTitle ?? "",
      courseThumbnail: course?.courseThumbnail ?? "",
      lecturesDone: enrollmentOf.get(key)?.lecturesDone ?? 0,
      lecturesTotal: course?.totalLectures ?? 0,
      completedAt: completed.get(key) ?? null,
      isEnrolled: enrolled.has(key),
      isLocked: locks.has(key),
    };
  };
  return held.flatMap(({ pathId, enrolledAt, expiresAt, completedAt }) => {
    const [path, holding] = [pathOf.get(String(pathId)), holdings.get(String(pathId))];
    if (!path || !holding) return [];
    const shown = holding.courses.map(({ courseId }) => showCourse(courseId));
    const [coursesDone, coursesTotal] = [shown.filter((course) => course.completedAt).length, shown.length];
    return [
      {
        _id: pathId,
        slug: path.slugs[0] ?? String(pathId),
        title: path.title,
        inOrder: holding.inOrder && path.inOrder,
        courses: shown,
        coursesDone,
        coursesTotal,
        percent: coursesTotal === 0 ? 0 : Math.floor((100 * coursesDone) / coursesTotal),
        enrolledAt,
        expiresAt,
        completedAt,
        certificateId: certificateOf.get(String(pathId)) ?? null,
      },
    ];
  });
}

/** The newest holding in force of each path, by the ids of the paths. @param holdings the newest first */
const newestOfEach = (holdings: readonly PathHolding[]): Map<string, PathHolding> =>
  new Map(
    holdings
      .filter((one) => isHeld(one))
      .toReversed()
      .map((one) => [String(one.pathId), one]),
  );
