import { type PipelineStage, type QueryFilter, Types } from "mongoose";
import { isObjectId } from "../../lib/fields.js";
import type { Models } from "../index.js";
import type { User } from "../users/user.js";
import type { Course } from "./course.js";

/** The course's educator; empty when the account no longer exists. */
export interface WithEducator {
  educators: User[];
}

/** Courses with their educators. */
function findTaughtCourses<T>(
  db: Models,
  filter: QueryFilter<Course>,
  fields: PipelineStage.Project["$project"],
): Promise<(T & WithEducator)[]> {
  const educators = { from: db.User.collection.name, localField: "educatorId", foreignField: "_id", as: "educators" };
  return db.Course.aggregate([{ $match: filter }, { $project: fields }, { $lookup: educators }]);
}

/** Courses by their ids in lower case, each with its educator; some courses may not exist. */
async function findTaughtCoursesById<T extends { _id: Types.ObjectId }>(
  db: Models,
  courseIds: readonly string[],
  fields: PipelineStage.Project["$project"],
): Promise<Map<string, T & WithEducator>> {
  const _id = { $in: courseIds.map((id) => new Types.ObjectId(id)) };
  const found = await findTaughtCourses<T>(db, { _id }, fields);
  return new Map(found.map((course) => [String(course._id), course]));
}

const enrolledCourseFields = {
  courseTitle: 1,
  courseThumbnail: 1,
  coursePrice: 1,
  educatorId: 1,
  totalLectures: 1,
  totalDurationMinutes: 1,
} as const;

/** Fields of a course in a learner's list of courses. */
export type EnrolledCourse = Pick<Course, "_id" | keyof typeof enrolledCourseFields> & WithEducator;

export const findEnrolledCourses = (db: Models, courseIds: readonly string[]): Promise<Map<string, EnrolledCourse>> =>
  findTaughtCoursesById(db, courseIds, enrolledCourseFields);

const wholeCourse = { completionsDueAt: 0, resourcesChangedAt: 0, rendererVersion: 0 } as const;

/** Whole courses. */
export const findCourses = (db: Models, courseIds: readonly string[]): Promise<Map<string, Course & WithEducator>> =>
  findTaughtCoursesById(db, courseIds, wholeCourse);

/** Whole courses by slugs that they have or had. A course without slugs is found by its id. */
export async function findCoursesBySlug(
  db: Models,
  slugs: readonly string[],
): Promise<Map<string, Course & WithEducator>> {
  const ids = slugs.filter(isObjectId).map((id) => new Types.ObjectId(id));
  const filter = { $or: [{ slugs: { $in: [...slugs] } }, { _id: { $in: ids }, slugs: { $exists: false } }] };
  const found = await findTaughtCourses<Course>(db, filter, wholeCourse);
  return new Map(found.flatMap((course) => (course.slugs ?? [String(course._id)]).map((slug) => [slug, course])));
}
